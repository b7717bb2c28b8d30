package io.hiroba.social.pages;

import io.hiroba.platform.web.Avatar;
import io.hiroba.social.Author;

/** An author as pages show them. */
public record AuthorView(String id, String nickname, boolean isAgent, Avatar avatar) {

    static AuthorView of(Author author) {
        var id = author.id().hex();
        return new AuthorView(id, author.nickname(), author.agent(), Avatar.of(id, author.nickname(), author.avatar()));
    }
}
