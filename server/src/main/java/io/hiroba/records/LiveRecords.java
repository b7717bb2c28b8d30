package io.hiroba.records;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.TokenScope;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.live.Listeners;
import io.hiroba.platform.live.LiveSource;
import io.hiroba.platform.problem.Problem;
import io.javalin.http.Context;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sends to the open grids of a schema which of its records have changed, and at which cells others are. Each reader is told of
 * records and attributes that they may read alone. It all goes by the commit signal and is stored nowhere: who was not told because
 * a signal was lost, or many records changed at once, is told to look again.
 */
final class LiveRecords implements LiveSource, AutoCloseable {

    static final String CHANGES = "records";
    private static final String PRESENCE = "presence";
    private static final Pattern SESSION = Pattern.compile("[0-9a-f]{16}");

    private final Projects projects;
    private final SchemaCatalog catalog;
    private final Records records;
    private final RecordHistory history;
    private final Users users;
    private final CommitSignal commits;
    private final Listeners<String, Listener> listeners =
            new Listeners<>("records", (concerned, changed) -> send(concerned));

    /** How many look at a grid here; of others nothing is kept. */
    private final Map<String, Integer> grids = new ConcurrentHashMap<>();

    /** What is to be sent, by grid. */
    private final Map<String, News> pending = new ConcurrentHashMap<>();

    LiveRecords(
            Projects projects,
            SchemaCatalog catalog,
            Records records,
            RecordHistory history,
            Users users,
            CommitSignal commits) {
        this.projects = projects;
        this.catalog = catalog;
        this.records = records;
        this.history = history;
        this.users = users;
        this.commits = commits;
        commits.listen(CHANGES, this::changed);
        commits.listen(PRESENCE, this::moved);
    }

    /** The key of a grid in signals. */
    static String grid(ProjectId project, short schema) {
        return project.hex() + "-" + schema;
    }

    /** The key of a record of a grid. */
    static String key(String grid, RowId row) {
        return grid + "-" + hex(row);
    }

    private static String hex(RowId row) {
        return row.toString().replace("-", "");
    }

    private static RowId row(String hex) {
        return new RowId(new UUID(
                Long.parseUnsignedLong(hex.substring(0, 16), 16), Long.parseUnsignedLong(hex.substring(16), 16)));
    }

    /**
     * Tells the others at which cell the caller is.
     *
     * @param session the open page
     * @param row null if they have left
     */
    void tell(ProjectAccess access, String schema, String session, @Nullable RowId row, @Nullable String attribute) {
        var found = catalog.cached(access.tables(), schema);
        if (!SESSION.matcher(session).matches()) {
            return;
        }
        var grid = grid(access.project().id(), found.id());
        var left = "%s-%s-%s".formatted(grid, access.user().hex(), session);
        // Only who may read a record is there; a page may still tell of one that was deleted just now.
        if (row == null
                || attribute == null
                || records.find(access, schema, List.of(row)).records().isEmpty()) {
            commits.raise(PRESENCE, List.of(left));
            return;
        }
        found.attribute(attribute)
                .ifPresent(each -> commits.raise(PRESENCE, List.of("%s-%s-%d".formatted(left, hex(row), each.id()))));
    }

    private void changed(Set<String> keys) {
        var concerned = new HashSet<String>();
        for (var key : keys.contains(CommitSignal.ANY) ? grids.keySet() : keys) {
            var parts = key.split("-", -1);
            var grid = parts[0] + "-" + parts[1];
            if (!grids.containsKey(grid)) {
                continue;
            }
            concerned.add(grid);
            pending.compute(grid, (name, present) -> {
                var news = present == null ? new News() : present;
                if (parts.length < 3) {
                    news.many = true;
                } else {
                    news.rows.add(row(parts[2]));
                }
                return news;
            });
        }
        listeners.changed(concerned);
    }

    private void moved(Set<String> keys) {
        var concerned = new HashSet<String>();
        for (var key : keys) {
            var parts = key.split("-", -1);
            if (parts.length < 4 || !grids.containsKey(parts[0] + "-" + parts[1])) {
                continue;
            }
            var grid = parts[0] + "-" + parts[1];
            concerned.add(grid);
            var move = parts.length < 6
                    ? new Move(parts[3], UserId.parse(parts[2]), null, (short) 0)
                    : new Move(parts[3], UserId.parse(parts[2]), row(parts[4]), Short.parseShort(parts[5]));
            pending.compute(grid, (name, present) -> {
                var news = present == null ? new News() : present;
                news.moves.put(move.session(), move);
                return news;
            });
        }
        listeners.changed(concerned);
    }

    private void send(Set<String> concerned) {
        for (var grid : concerned) {
            var news = pending.remove(grid);
            if (news == null) {
                continue;
            }
            try {
                listeners.of(grid).forEach(listener -> listener.send(news));
            } catch (RuntimeException e) {
                // Who has not been told looks again with the next change.
                pending.computeIfAbsent(grid, name -> new News()).many = true;
                throw e;
            }
        }
    }

    @Override
    public String name() {
        return "records";
    }

    @Override
    public Optional<Subscription> subscribe(Context ctx, Optional<String> position) {
        var named = ctx.queryParam("records");
        int slash = named == null ? -1 : named.indexOf('/');
        var caller = Caller.of(ctx);
        if (named == null || slash < 0 || !Ids.isId(named.substring(0, slash))) {
            return Optional.empty();
        }
        var project = ProjectId.parse(named.substring(0, slash));
        if (!caller.allows(TokenScope.RECORDS_READ, project.hex())) {
            return Optional.empty();
        }
        try {
            var access = projects.access(caller, project);
            var name = URLDecoder.decode(named.substring(slash + 1), StandardCharsets.UTF_8);
            var schema = catalog.refreshed(access.tables(), name);
            return Optional.of(new GridSubscription(caller, project, schema.id(), position.isPresent()));
        } catch (Problem | IllegalArgumentException gone) {
            // The page shows what it has; the other sources go on.
            return Optional.empty();
        }
    }

    /** A reader who looks at a grid. */
    private final class GridSubscription implements Subscription {

        private final Caller caller;
        private final ProjectId project;
        private final short schema;

        /** Whether the reader was here before, and may have missed something. */
        private final boolean isBack;

        GridSubscription(Caller caller, ProjectId project, short schema, boolean isBack) {
            this.caller = caller;
            this.project = project;
            this.schema = schema;
            this.isBack = isBack;
        }

        @Override
        public String position() {
            return "0";
        }

        @Override
        public Runnable begin(Channel channel) {
            if (isBack) {
                channel.send("0", "record", Json.text(Map.of("many", true)));
            }
            var grid = grid(project, schema);
            grids.merge(grid, 1, Integer::sum);
            var end = listeners.add(grid, new Listener(caller, project, schema, channel));
            return () -> {
                end.run();
                grids.computeIfPresent(grid, (name, count) -> count == 1 ? null : count - 1);
            };
        }
    }

    @Override
    public void close() {
        listeners.close();
    }

    /** @param row null if they have left */
    private record Move(
            String session, UserId user, @Nullable RowId row, short attribute) {}

    /** The changes and cursors of a grid that have not been sent. */
    private static final class News {

        private final Set<RowId> rows = new HashSet<>();
        private final Map<String, Move> moves = new ConcurrentHashMap<>();
        private boolean many;
    }

    private record RowVersion(String id, int version) {}

    /** An open grid. */
    private final class Listener {

        private final Caller caller;
        private final ProjectId project;
        private final short schema;
        private final Channel channel;

        Listener(Caller caller, ProjectId project, short schema, Channel channel) {
            this.caller = caller;
            this.project = project;
            this.schema = schema;
            this.channel = channel;
        }

        /** The rules of now decide, not those of when the page was opened. */
        void send(News news) {
            try {
                var access = projects.access(caller, project);
                var name = catalog.cached(access.tables(), schema).name();
                if (news.many) {
                    channel.send("0", "record", Json.text(Map.of("many", true)));
                } else if (!news.rows.isEmpty()) {
                    changes(access, name, news.rows);
                }
                for (var move : news.moves.values()) {
                    move(access, name, move);
                }
            } catch (Problem refusal) {
                // They may not read the project any more.
                if (refusal.kind() == Problem.Kind.INTERNAL) {
                    throw refusal;
                }
            }
        }

        private void changes(ProjectAccess access, String name, Set<RowId> rows) {
            var found = records.find(access, name, rows).records();
            var changed = new ArrayList<RowVersion>();
            var deleted = new ArrayList<String>();
            for (var row : rows) {
                var record = found.get(row.toString());
                if (record != null) {
                    changed.add(new RowVersion(record.id(), record.version()));
                } else if (wasReadable(access, name, row)) {
                    deleted.add(row.toString());
                }
            }
            if (!changed.isEmpty() || !deleted.isEmpty()) {
                channel.send("0", "record", Json.text(Map.of("rows", changed, "deleted", deleted)));
            }
        }

        /** The last state of a deleted record says who could read it. */
        private boolean wasReadable(ProjectAccess access, String name, RowId row) {
            try {
                history.page(access, name, row, Integer.MAX_VALUE, 1);
                return true;
            } catch (RecordsProblem refusal) {
                return false;
            }
        }

        private void move(ProjectAccess access, String name, Move move) {
            var row = move.row();
            if (row == null) {
                channel.send("0", "presence", Json.text(Map.of("session", move.session())));
                return;
            }
            var set = records.find(access, name, List.of(row));
            var attribute = set.schema().attribute(move.attribute()).orElse(null);
            var recordAccess = new RecordAccess(set.schema(), set.schema().binding(access.role()), access.user(), null);
            if (set.records().isEmpty() || attribute == null || !recordAccess.canRead(attribute)) {
                return;
            }
            users.find(move.user())
                    .ifPresent(profile -> channel.send(
                            "0",
                            "presence",
                            Json.text(Map.of(
                                    "session",
                                    move.session(),
                                    "nickname",
                                    profile.user().nickname().value(),
                                    "row",
                                    row.toString(),
                                    "attribute",
                                    attribute.name()))));
        }
    }
}
