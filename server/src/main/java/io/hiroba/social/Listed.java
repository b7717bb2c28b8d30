package io.hiroba.social;

/** An item of a list, and where in the list it stands. */
public record Listed<T>(T item, Position position) {}
