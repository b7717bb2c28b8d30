package io.hiroba.social.pages;

import io.hiroba.accounts.pages.ProfileView;
import io.hiroba.social.follow.Relation;

/** A profile with how much its owner does here and how the reader stands to them. */
public record UserView(ProfileView profile, Relation relation, FollowView follow, UserTab tab) {}
