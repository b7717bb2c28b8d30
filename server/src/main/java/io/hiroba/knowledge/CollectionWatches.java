package io.hiroba.knowledge;

import com.fasterxml.jackson.annotation.JsonValue;
import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.KnowledgeCollections.Collection;
import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import io.hiroba.knowledge.documents.GitFetcher;
import io.hiroba.knowledge.documents.PageFetcher;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.problem.Problem.Kind;
import io.hiroba.platform.task.WakeSignal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The places that collections watch: addresses, Git repositories, and folders of the server. Managers set them up, folders admins alone. */
public final class CollectionWatches {

    private static final int MAX_PATTERNS_LENGTH = 500;

    private final Db db;
    private final IdGenerator ids;
    private final InstantSource clock;
    private final KnowledgeConfig.CollectionsConfig config;
    private final WatchedFolders folders;
    private final WakeSignal changed;
    private final AuditLog audit;
    private final CollectionStore collections = new CollectionStore();
    private final WatchStore store = new WatchStore();

    /** @param changed raised when a watch is due */
    CollectionWatches(
            Db db,
            IdGenerator ids,
            InstantSource clock,
            KnowledgeConfig.CollectionsConfig config,
            WatchedFolders folders,
            WakeSignal changed) {
        this.db = db;
        this.ids = ids;
        this.clock = clock;
        this.config = config;
        this.folders = folders;
        this.changed = changed;
        this.audit = new AuditLog(db);
    }

    /** A kind of watched place. */
    public enum WatchKind {
        URL,
        /** A public Git repository. */
        GIT,
        /** A folder of the server, below one that the configuration allows. */
        FOLDER;

        /** As in the database and the API. */
        @JsonValue
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Reads a kind from a request. */
        public static WatchKind parse(String text) {
            return switch (text) {
                case "url" -> URL;
                case "git" -> GIT;
                case "folder" -> FOLDER;
                default -> throw KnowledgeProblem.invalid("kind", Text.of("knowledge.field.unknown"));
            };
        }
    }

    /**
     * A watched place.
     *
     * @param owner who set it up, and owns its sources
     * @param files patterns of the files of a folder or repository, separated by spaces; empty for all whose ending says that they can be read
     * @param failures the number of looks in a row that failed
     * @param problem why the last look failed, or what it could not read; null if there is nothing to tell
     * @param sources the number of its sources
     */
    public record Watch(
            long id,
            CollectionId collection,
            UserId owner,
            WatchKind kind,
            String location,
            String files,
            Duration interval,
            int failures,
            @Nullable Text problem,
            @Nullable Instant checkedAt,
            @Nullable Instant changedAt,
            int sources) {}

    /** The watches of a collection, for those who may add to it. */
    public List<Watch> list(Caller caller, CollectionId id) {
        return db.read(reads -> {
            if (!find(reads, caller, id).mayEdit()) {
                throw KnowledgeCollections.refused();
            }
            return store.list(reads, id);
        });
    }

    /** Whether the caller may watch folders. */
    public boolean mayWatchFolders(Caller caller) {
        return caller.admin() && !config.folders().isEmpty();
    }

    /**
     * Begins to watch a place.
     *
     * @param files patterns of the files of a folder or repository; null or empty for all whose ending says that they can be read
     */
    public Watch add(
            Caller caller,
            CollectionId id,
            WatchKind kind,
            String location,
            @Nullable String files,
            Duration interval) {
        if (interval.compareTo(config.minInterval()) < 0 || interval.compareTo(Duration.ofDays(365)) > 0) {
            throw KnowledgeProblem.invalid(
                    "intervalMinutes",
                    Text.of(
                            "knowledge.field.between",
                            "min",
                            config.minInterval().toMinutes(),
                            "max",
                            Duration.ofDays(365).toMinutes()));
        }
        var place = place(caller, kind, location);
        var patterns = kind == WatchKind.URL || files == null ? "" : patterns(files);
        var watch = new Watch(ids.next(), id, caller.user(), kind, place, patterns, interval, 0, null, null, null, 0);
        db.useTransaction(tx -> {
            collections.lock(tx, id);
            var collection = requireManager(find(tx, caller, id));
            if (store.count(tx, id) >= config.watches()) {
                throw new KnowledgeProblem(Kind.CONFLICT, "too-many-watches", "max", config.watches());
            }
            if (!store.insert(tx, watch, clock.instant())) {
                throw new KnowledgeProblem(Kind.CONFLICT, "watched-already");
            }
            audit.record(
                    tx,
                    caller,
                    AuditLog.Action.COLLECTION_WATCH_ADDED,
                    target(collection),
                    Changes.NONE.with("location", null, place));
        });
        changed.raise();
        return watch;
    }

    private String place(Caller caller, WatchKind kind, String location) {
        try {
            return switch (kind) {
                case URL -> PageFetcher.normalized(location);
                case GIT -> GitFetcher.normalized(location);
                case FOLDER -> folder(caller, location);
            };
        } catch (KnowledgeProblem refusal) {
            // An address is refused as that of a source.
            throw refusal.fields().stream()
                    .filter(fault -> fault.field().equals("url"))
                    .findFirst()
                    .map(fault -> KnowledgeProblem.invalid("location", fault.message()))
                    .orElse(refusal);
        }
    }

    private String folder(Caller caller, String location) {
        if (!caller.admin()) {
            throw new KnowledgeProblem(Kind.FORBIDDEN, "folders-admin");
        }
        return folders.checked(location);
    }

    private static String patterns(String files) {
        var patterns = StorableText.of(files).strip().replaceAll("\\s+", " ");
        if (patterns.length() > MAX_PATTERNS_LENGTH) {
            throw KnowledgeProblem.invalid(
                    "files", Text.of("knowledge.field.query-length", "max", MAX_PATTERNS_LENGTH));
        }
        FileSelection.matchers(patterns);
        return patterns;
    }

    /** Looks at the place again now. */
    public void hasten(Caller caller, CollectionId id, long watch) {
        db.useTransaction(tx -> {
            requireManager(find(tx, caller, id));
            if (!store.hasten(tx, id, watch, clock.instant())) {
                throw none();
            }
        });
        changed.raise();
    }

    /** Watches a place no longer; its sources stay. */
    public void remove(Caller caller, CollectionId id, long watch) {
        db.useTransaction(tx -> {
            var collection = requireManager(find(tx, caller, id));
            if (!store.delete(tx, id, watch)) {
                throw none();
            }
            audit.record(tx, caller, AuditLog.Action.COLLECTION_WATCH_REMOVED, target(collection));
        });
    }

    private Collection find(Reads reads, Caller caller, CollectionId id) {
        return collections.find(reads, caller, id).orElseThrow(KnowledgeCollections::none);
    }

    private static Collection requireManager(Collection collection) {
        if (!collection.mayManage()) {
            throw KnowledgeCollections.refused();
        }
        return collection;
    }

    private static KnowledgeProblem none() {
        return new KnowledgeProblem(Kind.NOT_FOUND, "no-watch");
    }

    private static Target target(Collection collection) {
        return Target.of(TargetKind.COLLECTION, collection.id().hex(), collection.name(), collection.owner());
    }
}
