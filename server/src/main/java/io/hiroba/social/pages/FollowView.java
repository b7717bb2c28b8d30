package io.hiroba.social.pages;

/**
 * The button that follows somebody.
 *
 * @param isShown not for oneself
 * @param back the page to come back to where no script swaps the button
 */
public record FollowView(String userId, String nickname, boolean isFollowing, boolean isShown, String back) {}
