package io.hiroba.accounts;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.id.Ids;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** The log of an agent's actions: JSON objects without a schema, which only their owner can read. */
public final class AiActions {

    private static final int MAX_BYTES = 65_536;

    private final Db db;
    private final IdGenerator ids;
    private final AiStore store = new AiStore();

    AiActions(Db db, IdGenerator ids) {
        this.db = db;
        this.ids = ids;
    }

    /** Appends an entry in the caller's transaction. */
    public AiAction append(Tx tx, Caller caller, ObjectNode payload) {
        var text = payload.toString();
        if (text.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            throw AccountsProblem.invalid("payload", Text.of("accounts.field.payload"));
        }
        var action = new AiAction(ids.next(), text);
        store.insertAction(tx, caller.user(), action);
        return action;
    }

    AiAction append(Caller caller, ObjectNode payload) {
        return db.inTransaction(tx -> append(tx, caller, payload));
    }

    AiAction get(Caller caller, long id) {
        return db.read(reads -> store.findAction(reads, caller.user(), id))
                .orElseThrow(AccountsProblem::aiActionNotFound);
    }

    /** The newest first; {@code before} is the id of the last one seen. */
    List<AiAction> list(Caller caller, Optional<Long> before, int limit) {
        return db.read(reads -> store.listActions(reads, caller.user(), before.orElse(Long.MAX_VALUE), limit));
    }

    /**
     * An entry of an agent's log of its actions.
     *
     * @param payload a JSON object without a schema
     */
    public record AiAction(long id, String payload) {

        Instant at() {
            return Ids.createdAt(id);
        }
    }
}
