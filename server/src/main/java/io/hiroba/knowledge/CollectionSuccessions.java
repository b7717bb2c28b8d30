package io.hiroba.knowledge;

import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.CollectionSuccessionStore.Heir;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fate of collections whose owner's account is deleted: they go to another person who manages or edits them, with what is in them
 * (ADR 155).
 */
public final class CollectionSuccessions {

    private static final int BATCH_SIZE = 50;

    private final Db db;
    private final AuditLog audit;
    private final CollectionStore collections = new CollectionStore();
    private final SourceWriteStore sources = new SourceWriteStore();
    private final CollectionSuccessionStore store = new CollectionSuccessionStore();

    CollectionSuccessions(Db db) {
        this.db = db;
        this.audit = new AuditLog(db);
    }

    /**
     * The fate of a collection.
     *
     * @param successor the nickname of who becomes the owner; null if the collection is deleted
     */
    public record Succession(String collection, @Nullable String successor) {}

    /** What becomes of the collections of {@code user} if they delete their account. */
    public List<Succession> of(UserId user) {
        return db.read(reads -> store.successions(reads, user));
    }

    /**
     * Hands over the collections of an account that is being deleted, each with the account's sources and watches in it; may be repeated.
     *
     * @param caller who deletes the account
     */
    void handOver(Caller caller, UserId user) {
        db.useTransaction(tx -> {
            // Whoever hands something over to the user holds this lock: it comes before and is handed on, or finds no
            // member.
            collections.lockOwner(tx, user);
            store.removeEverywhere(tx, user);
        });
        while (db.inTransaction(tx -> handOverSome(tx, caller, user))) {
            // The next sources of a collection, or the next collection.
        }
    }

    /** Returns whether there may be more. The collection follows its sources, so that what dies in between is repeated. */
    private boolean handOverSome(Tx tx, Caller caller, UserId user) {
        var next = store.next(tx, user);
        if (next.isEmpty()) {
            return false;
        }
        var heir = next.get();
        collections.lock(tx, heir.collection());
        collections.lockOwner(tx, heir.user());
        if (!store.next(tx, user).equals(next)) {
            return true;
        }
        store.moveWatches(tx, heir, user);
        var some = store.lockSources(tx, heir, user, BATCH_SIZE);
        some.forEach(source -> move(tx, source, heir.user()));
        if (some.size() < BATCH_SIZE) {
            handOver(tx, caller, heir);
        }
        return true;
    }

    private void handOver(Tx tx, Caller caller, Heir heir) {
        store.handOver(tx, heir, freeName(tx, heir));
        audit.record(
                tx,
                caller,
                AuditLog.Action.COLLECTION_MEMBER_SET,
                Target.of(TargetKind.COLLECTION, heir.collection().hex(), null, heir.user()),
                Changes.NONE.with("role", heir.role().text(), "owner"));
    }

    /** The copies in chunks and vectors follow, in slices. */
    private void move(Tx tx, SourceId source, UserId owner) {
        store.moveSource(tx, source, owner);
        var slices = SourceWriter.slices(sources.chunkIds(tx, source));
        slices.forEach(slice -> store.moveChunks(tx, source, slice, owner));
        for (int space : sources.spaces(tx)) {
            slices.forEach(slice -> store.moveVectors(tx, space, source, slice, owner));
        }
    }

    private String freeName(Tx tx, Heir heir) {
        var name = heir.name();
        for (int n = 2; store.hasNamed(tx, heir.user(), name); n++) {
            name = heir.name() + " (" + n + ")";
        }
        return name;
    }
}
