package io.hiroba.accounts.pages;

import java.util.List;

/** What somebody who is signed in sees first. */
public record HomeView(
        PersonView self, boolean hasIntroduction, List<TokenView> tokens, List<PersonView> people, String baseUrl) {

    public HomeView {
        tokens = List.copyOf(tokens);
        people = List.copyOf(people);
    }
}
