package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.knowledge.KnowledgeSource;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.Sources;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.problem.Problem;
import io.javalin.http.Context;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/** Describes sources to the reader of a page, with the names of their owners. */
final class SourceItems {

    /** The size of a page. */
    private static final int MAX_SOURCES = 50;

    private final Readers readers;
    private final Users users;
    private final Sources sources;

    SourceItems(Readers readers, Users users, Sources sources) {
        this.readers = readers;
        this.users = users;
        this.sources = sources;
    }

    List<SourceItem> of(Context ctx, List<KnowledgeSource> shown) {
        var reader = readers.reader(ctx);
        var caller = Caller.of(ctx);
        var names = new HashMap<UserId, String>();
        return shown.stream()
                .map(source -> SourceItem.of(
                        source, names.computeIfAbsent(source.owner(), owner -> name(owner, reader)), caller, reader))
                .toList();
    }

    Reader reader(Context ctx) {
        return readers.reader(ctx);
    }

    SourceItem of(Context ctx, KnowledgeSource source) {
        return of(ctx, List.of(source)).getFirst();
    }

    /** The sources with these ids, separated by commas, that the reader may read. */
    List<SourceItem> named(Context ctx, String ids) {
        var caller = Caller.of(ctx);
        return of(
                ctx,
                Arrays.stream(ids.split(",", MAX_SOURCES + 1))
                        .limit(MAX_SOURCES)
                        .flatMap(id -> find(caller, id).stream())
                        .toList());
    }

    /** None if it was deleted meanwhile: its row on the page stays as it is. */
    private Optional<KnowledgeSource> find(Caller caller, String id) {
        try {
            return Optional.of(sources.get(caller, SourceId.parse(id)));
        } catch (Problem none) {
            return Optional.empty();
        }
    }

    /** The nickname of an owner. */
    String name(UserId owner, Reader reader) {
        return users.find(owner)
                .map(profile -> profile.user().nickname().value())
                .orElseGet(() -> reader.text("knowledge.deleted-user"));
    }
}
