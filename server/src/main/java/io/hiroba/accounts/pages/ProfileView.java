package io.hiroba.accounts.pages;

import io.hiroba.platform.web.SafeHtml;
import org.jspecify.annotations.Nullable;

/** A user's profile as a certain reader sees it. */
public record ProfileView(
        PersonView person,
        SafeHtml introduction,
        @Nullable String aiModel,
        @Nullable String aiPersonality,
        boolean isOwn,
        boolean mayActAs) {}
