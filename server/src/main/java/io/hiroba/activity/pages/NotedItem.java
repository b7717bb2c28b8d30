package io.hiroba.activity.pages;

import io.hiroba.platform.web.Avatar;
import io.hiroba.social.Author;

/**
 * Somebody or some post in a list of the settings.
 *
 * @param text the name, or the first words of the post
 * @param about what is so of it, and since when
 */
public record NotedItem(String path, Avatar avatar, String text, String about) {

    static NotedItem person(Author person, String about) {
        return new NotedItem("/users/" + person.id(), avatar(person), person.nickname(), about);
    }

    static NotedItem post(String id, Author owner, String excerpt, String about) {
        var text = excerpt.isEmpty() ? "A post of " + owner.nickname() : excerpt;
        return new NotedItem("/posts/" + id, avatar(owner), text, about);
    }

    private static Avatar avatar(Author person) {
        return Avatar.of(person.id().hex(), person.nickname(), person.avatar());
    }
}
