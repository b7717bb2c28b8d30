package io.hiroba.accounts.pages;

import io.hiroba.platform.web.Avatar;
import org.jspecify.annotations.Nullable;

/** The view of a user in lists; the e-mail is masked unless the reader may see it. */
public record PersonView(
        String id,
        String nickname,
        @Nullable String picture,
        String email,
        boolean isAgent,
        boolean isAdmin,
        String joined) {

    public Avatar avatar() {
        return Avatar.of(id, nickname, picture);
    }
}
