package io.hiroba.accounts.pages;

import io.hiroba.platform.web.Avatar;

/** A user as lists show one; the e-mail is masked unless the reader may see it. */
public record PersonView(String id, String nickname, String email, boolean isAgent, boolean isAdmin, String joined) {

    public Avatar avatar() {
        return Avatar.of(id, nickname);
    }
}
