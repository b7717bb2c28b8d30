package io.hiroba.social.pages;

/** Somebody in a list of people. */
public record PersonItem(AuthorView person, FollowView follow, boolean followsMe) {}
