package io.hiroba.platform.web;

import org.jspecify.annotations.Nullable;

/**
 * The signed-in reader of a page.
 *
 * @param picture where the person's picture is, if there is one
 * @param choseZone whether the time zone is a choice of the person's, and not the browser's
 * @param actingAdmin the nickname of the administrator who acts as this person, if one does
 */
public record Viewer(
        String id,
        String nickname,
        @Nullable String picture,
        boolean isAdmin,
        boolean choseZone,
        @Nullable String actingAdmin) {

    public Avatar avatar() {
        return Avatar.of(id, nickname, picture);
    }
}
