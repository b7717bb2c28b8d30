package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.sources.Source;
import io.hiroba.knowledge.sources.Sources;
import io.hiroba.platform.problem.Problem;
import io.javalin.http.Context;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Sources as a page shows them to its reader, with the names of their owners. */
public final class SourceItems {

    /** Those of a page; more are not asked for at once. */
    private static final int MOST = 50;

    private final Times times;
    private final Users users;
    private final Sources sources;

    public SourceItems(Times times, Users users, Sources sources) {
        this.times = times;
        this.users = users;
        this.sources = sources;
    }

    List<SourceItem> of(Context ctx, List<Source> shown) {
        var when = times.of(ctx);
        var caller = Caller.of(ctx);
        var names = new HashMap<UserId, String>();
        return shown.stream()
                .map(source -> SourceItem.of(source, names.computeIfAbsent(source.owner(), this::name), caller, when))
                .toList();
    }

    SourceItem of(Context ctx, Source source) {
        return of(ctx, List.of(source)).getFirst();
    }

    /** Those with these ids, separated by commas, that are still there for the reader. */
    List<SourceItem> named(Context ctx, String ids) {
        var caller = Caller.of(ctx);
        return of(
                ctx,
                Arrays.stream(ids.split(",", MOST + 1))
                        .limit(MOST)
                        .flatMap(id -> find(caller, id).stream())
                        .toList());
    }

    /** None if it was deleted meanwhile: its place on the page is left as it is. */
    private Optional<Source> find(Caller caller, String id) {
        try {
            return Optional.of(sources.get(caller, SourceId.parse(id)));
        } catch (Problem none) {
            return Optional.empty();
        }
    }

    /** Where to ask how far those are that are not ready yet; empty if all are. */
    static String poll(List<SourceItem> items) {
        return items.stream()
                .filter(item -> item.standing().isRunning())
                .map(SourceItem::id)
                .collect(Collectors.collectingAndThen(
                        Collectors.joining(","), ids -> ids.isEmpty() ? "" : Paths.SOURCES + "/progress?ids=" + ids));
    }

    private String name(UserId owner) {
        return users.find(owner)
                .map(profile -> profile.user().nickname().value())
                .orElse("Somebody who left");
    }
}
