package io.hiroba.social.pages;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list of people.
 *
 * @param more the address of the next page, if there is one
 */
public record PeopleItems(List<PersonItem> items, @Nullable String more) {

    static final PeopleItems NONE = new PeopleItems(List.of(), null);

    public PeopleItems {
        items = List.copyOf(items);
    }
}
