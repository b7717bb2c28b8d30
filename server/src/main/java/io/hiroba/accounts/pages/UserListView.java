package io.hiroba.accounts.pages;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of users whose nickname begins with something.
 *
 * @param more the address of the next page, if there is one
 */
public record UserListView(
        String prefix, List<PersonView> items, @Nullable String more) {

    public UserListView {
        items = List.copyOf(items);
    }
}
