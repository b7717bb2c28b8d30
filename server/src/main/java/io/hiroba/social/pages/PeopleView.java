package io.hiroba.social.pages;

import io.hiroba.social.pages.FollowPages.FollowView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list of people.
 *
 * @param more the address of the next page, if there is one
 */
public record PeopleView(List<PersonItem> items, @Nullable String more) {

    static final PeopleView NONE = new PeopleView(List.of(), null);

    public PeopleView {
        items = List.copyOf(items);
    }

    /** A row of a list of people. */
    public record PersonItem(AuthorView person, FollowView follow, boolean followsMe) {}
}
