"""The gazette: a day's public news (CA-3.6, CA-1.9, CA-1.10)."""

from collections.abc import Iterable, Sequence

from rules.core.hexboard.hexes import Hex
from rules.core.report import Step

from .ground import board_of
from .intelligence import News, NewsKind
from .model import Battle, CampaignPlay, CampaignState, Point
from .telling import cite

RULES = {
    NewsKind.TAKEN: "8.1",
    NewsKind.BATTLE: "5.4",
    NewsKind.OVERRUN: "5.4",
    NewsKind.FIELD: "6.7",
    NewsKind.MISSED: "1.10",
}


def announce(play: CampaignPlay, kind: NewsKind, who: str, at: Hex | None = None, was: str = "", days: int = 1) -> None:
    """Add a piece of news to the day's gazette and to the public report. `was` is the point's former holder."""
    news = News(day=play.state.turn, kind=kind, who=who, at=at, was=was, days=days)
    play.set(news=(*play.state.news, news))
    play.say(_news_step(play.state, news))


def repeat_news_of_today(play: CampaignPlay) -> None:
    """Add today's earlier news, about the ends of battles, to the public report."""
    play.say(*(_news_step(play.state, news) for news in news_of_day(play.state, play.state.turn)))


def news_of_day(state: CampaignState, day: int) -> Sequence[News]:
    """Return the news of a day, oldest first."""
    return [news for news in state.news if news.day == day]


def gazette_title(state: CampaignState, day: int) -> str:
    """Return the heading of a day's gazette."""
    return f"Gazette of day {day}" if news_of_day(state, day) else f"Day {day} passed without news"


def gazette_lines(state: CampaignState, day: int) -> Iterable[str]:
    """Yield a line for each piece of a day's news."""
    for news in news_of_day(state, day):
        about, verdict = _news_in_words(state, news)
        yield f"{about}: {verdict}"


def state_for_public_map(state: CampaignState, day: int) -> CampaignState:
    """Return the state with the points' holders and the open battles at a day's end, for the gazette's map."""
    points = {key: _restore_point_holder(state, point, day) for key, point in state.points.items()}
    battles = (*state.battles.values(), *_battles_open_at_days_end(state, day))
    battles_by_id = {battle.id: battle for battle in battles if battle.day <= day}
    return state.model_copy(update={"points": points, "battles": battles_by_id, "turn": day, "over": None})


def _battles_open_at_days_end(state: CampaignState, day: int) -> Iterable[Battle]:
    """Return the battles that were open at a day's end, according to the news."""
    battles: dict[Hex, Battle] = {}
    for news in state.news:
        if news.at is None or news.day > day:
            continue
        if news.kind is NewsKind.BATTLE:
            battles[news.at] = Battle(id=f"battle-{news.day}-{news.at.label}", at=news.at, day=news.day, columns=())
        elif news.kind is NewsKind.FIELD:
            battles.pop(news.at, None)
    return battles.values()


def _restore_point_holder(state: CampaignState, point: Point, day: int) -> Point:
    """Return a point with its holder and `held_days` at the end of an earlier day."""
    changes = [news for news in state.news if news.kind is NewsKind.TAKEN and news.at == point.at]
    before = [news for news in changes if news.day <= day]
    after = [news for news in changes if news.day > day]
    holder = before[-1].who if before else after[0].was if after else point.holder
    held_days = day - before[-1].day + 1 if before else day + state.options.days_held
    return point.model_copy(update={"holder": holder, "held_days": held_days})


def last_ended_day(state: CampaignState) -> int:
    """Return the number of the last day that has ended; 0 on the first day."""
    return state.turn if state.over is not None else state.turn - 1


def _news_step(state: CampaignState, news: News) -> Step:
    about, verdict = _news_in_words(state, news)
    return Step(text=about, cite=cite(RULES[news.kind]), verdict=verdict)


def _news_in_words(state: CampaignState, news: News) -> tuple[str, str]:
    """Return the subject of a piece of news, and what happened to the subject, in words."""
    if news.kind is NewsKind.MISSED:
        return state.side(news.who).name, _missed_days_in_words(state, news)
    names = {power.id: f"the {power.name}" for power in state.powers}
    power_name = names.get(news.who, "nobody")
    title = board_of(state).title(news.at) if news.at is not None else ""
    match news.kind:
        case NewsKind.TAKEN:
            point = state.point_in(news.at) if news.at is not None else None
            return point.name if point is not None else title, f"{power_name} take it"
        case NewsKind.BATTLE:
            return f"Battle in {title}", f"begins, {power_name} defend" if news.who else "begins"
        case NewsKind.OVERRUN:
            return f"Battle in {title}", f"{power_name} are overrun"
        case _:
            return f"Battle in {title}", f"ends, {power_name} {'hold' if news.who else 'holds'} the field"


def _missed_days_in_words(state: CampaignState, news: News) -> str:
    """Return a command's missed days in words; after too many, also who may order its columns (CA-1.10)."""
    missed = "missed the day" if news.days == 1 else f"missed {news.days} days in a row"
    power = state.power_of(news.who)
    if news.days < state.option_value(power.id, "missed_days"):
        return missed
    deputy = "the umpire" if power.chief == news.who else f"{state.side(power.chief):the} or the umpire"
    return f"{missed}; {deputy} may order its columns"
