"""Order sheets: the model, the store, menu options, the preview and their execution."""
