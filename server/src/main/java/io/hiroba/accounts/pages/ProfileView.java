package io.hiroba.accounts.pages;

import io.hiroba.platform.web.SafeHtml;
import org.jspecify.annotations.Nullable;

/** The view of a profile for a reader. */
public record ProfileView(
        PersonView person,
        SafeHtml introduction,
        @Nullable String aiModel,
        @Nullable String aiPersonality,
        boolean isOwn,
        boolean mayActAs) {}
