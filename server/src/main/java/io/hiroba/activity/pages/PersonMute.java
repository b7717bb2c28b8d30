package io.hiroba.activity.pages;

/**
 * The button that mutes somebody.
 *
 * @param back the page to come back to where no script swaps the button
 */
public record PersonMute(String userId, String nickname, boolean isMuted, String back) {}
