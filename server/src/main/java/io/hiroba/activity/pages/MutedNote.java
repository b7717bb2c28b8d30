package io.hiroba.activity.pages;

import org.jspecify.annotations.Nullable;

/**
 * What the menu of a card has just done.
 *
 * @param undo where to take it back; none for what changed nothing
 * @param what the part of the post to take back; empty for a person
 */
public record MutedNote(String says, @Nullable String undo, String what) {}
