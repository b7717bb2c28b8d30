package io.hiroba.social.follow;

import io.hiroba.social.Author;

/** Somebody as lists of people show them to one reader. */
public record PersonCard(Author person, boolean followedByMe, boolean followsMe) {}
