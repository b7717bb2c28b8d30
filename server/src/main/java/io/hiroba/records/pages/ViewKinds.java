package io.hiroba.records.pages;

/** The pages of views, by kind; grids are shown by {@link GridPages}. */
record ViewKinds(BoardPage board, CalendarPage calendar, GalleryPage gallery, FormPage form) {}
