package io.hiroba.accounts.pages;

import java.util.List;

/** Somebody's account at a glance. */
public record OverviewView(PersonView self, boolean hasIntroduction, List<TokenView> tokens, String baseUrl) {

    public OverviewView {
        tokens = List.copyOf(tokens);
    }
}
