package io.hiroba.accounts;

import io.hiroba.platform.id.Ids;
import java.util.List;
import java.util.Optional;

/** The users whom somebody names in a form: the one with an id, or all with a nickname, which need not be unique. */
public final class Namesakes {

    private static final int MAX = 10;

    private Namesakes() {}

    /** Those whom {@code typed} means, whatever its case; nobody where it is empty. */
    public static List<User> of(Users users, String typed) {
        var name = typed.strip();
        var byId = Ids.isId(name) ? users.find(UserId.parse(name)).map(Profile::user) : Optional.<User>empty();
        return byId.map(List::of)
                .orElseGet(() -> users.list(name, MAX).stream()
                        .filter(user -> user.nickname().value().equalsIgnoreCase(name))
                        .toList());
    }
}
