package io.hiroba.saga.pages;

/** A place on the axis of a timeline, with its distance from the start. */
public record Tick(String at, String label) {}
