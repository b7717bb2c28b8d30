package io.hiroba.platform.web;

import org.jspecify.annotations.Nullable;

/**
 * The person who looks at a page.
 *
 * @param actingAdmin the nickname of the administrator who acts as this person, if one does
 */
public record Viewer(
        String id,
        String nickname,
        boolean isAdmin,
        @Nullable String actingAdmin) {

    public Avatar avatar() {
        return Avatar.of(id, nickname);
    }
}
