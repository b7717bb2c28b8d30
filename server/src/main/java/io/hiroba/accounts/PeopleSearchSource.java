package io.hiroba.accounts;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.search.SearchSource;
import io.hiroba.platform.search.SearchWords;
import io.javalin.http.Context;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/** People in the one search, by their nicknames: first those that begin with what was typed, then those that have it within. */
final class PeopleSearchSource implements SearchSource {

    private final Db db;
    private final Users users;
    private final UserFilterStore store = new UserFilterStore();

    PeopleSearchSource(Db db, Users users) {
        this.db = db;
        this.users = users;
    }

    @Override
    public String type() {
        return "people";
    }

    @Override
    public String icon() {
        return "people";
    }

    @Override
    public int order() {
        return 20;
    }

    @Override
    public Optional<Finder> finder(Context ctx) {
        return Caller.find(ctx)
                .filter(caller -> caller.allows(TokenScope.PEOPLE_READ))
                .map(caller -> this::find);
    }

    private List<SearchResult> find(String typed, int limit) {
        var found = new LinkedHashMap<UserId, User>();
        var given = SearchWords.unquoted(typed);
        var name = given.startsWith("@") ? given.substring(1) : given;
        if (Ids.isId(name)) {
            users.find(UserId.parse(name))
                    .ifPresent(profile -> found.put(profile.user().id(), profile.user()));
        }
        if (!name.isBlank()) {
            users.list(name, limit).forEach(user -> found.putIfAbsent(user.id(), user));
        }
        if (found.size() < limit && !name.isBlank()) {
            db.read(reads -> store.named(reads, Nickname.normalise(name), limit))
                    .forEach(user -> found.putIfAbsent(user.id(), user));
        }
        return found.values().stream()
                .limit(limit)
                .map(user -> new SearchResult(
                        user.nickname().value(),
                        List.of(),
                        "/users/" + user.id().hex(),
                        null))
                .toList();
    }
}
