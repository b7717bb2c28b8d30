package io.hiroba.accounts;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The parameters of a request of OAuth: none may come twice, and an empty one counts as absent. */
record OAuthParameters(Map<String, List<String>> values) {

    Optional<String> find(String name) {
        var given = values.getOrDefault(name, List.of());
        if (given.size() > 1) {
            throw OAuthError.invalidRequest(name + " must not be repeated.");
        }
        return given.stream().filter(value -> !value.isEmpty()).findFirst();
    }

    String get(String name) {
        return find(name).orElseThrow(() -> OAuthError.invalidRequest(name + " is missing."));
    }
}
