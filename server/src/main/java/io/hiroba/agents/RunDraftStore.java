package io.hiroba.agents;

import io.hiroba.agents.AgentRunStore.ClaimedRun;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.social.PostId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of what runs write at this moment. They are not logged: a crash of the database empties them. */
final class RunDraftStore {

    /**
     * The text so far of a turn.
     *
     * @param tool the one that is being used; null while the model writes
     */
    record RunDraft(int turn, String text, @Nullable String tool) {

        static final RunDraft NONE = new RunDraft(0, "", null);
    }

    /**
     * A run with what it writes at this moment.
     *
     * @param fence the claim that the text belongs to; 0 while nobody carries the run out
     */
    record LiveRun(AgentRun run, long fence, RunDraft draft) {}

    /** Replaces the draft of a run; false, and nothing changes, if the claim does not hold or the agent is paused. */
    boolean write(Tx tx, ClaimedRun claim, RunDraft draft) {
        return tx.update("""
                        INSERT INTO agents.drafts (run_id, fence, turn, content, tool)
                        SELECT r.id, r.fence, :turn, :content, :tool
                        FROM agents.runs r JOIN agents.agents a ON a.user_id = r.agent_id
                        WHERE r.id = :id AND r.fence = :fence AND NOT a.paused
                          AND NOT EXISTS (SELECT FROM agents.switch WHERE paused)
                        ON CONFLICT (run_id) DO UPDATE
                        SET fence = excluded.fence, turn = excluded.turn, content = excluded.content, tool = excluded.tool
                        """)
                        .bind("id", claim.run().id())
                        .bind("fence", claim.fence())
                        .bind("turn", draft.turn())
                        .bind("content", draft.text())
                        .bind("tool", draft.tool())
                        .execute()
                == 1;
    }

    /** Deletes the draft of a claim, which may have been written while the run was stopped. */
    void delete(Tx tx, ClaimedRun claim) {
        tx.update("DELETE FROM agents.drafts WHERE run_id = :id AND fence = :fence")
                .bind("id", claim.run().id())
                .bind("fence", claim.fence())
                .execute();
    }

    /** The runs that answer these posts, with their drafts. */
    List<LiveRun> of(Reads reads, Collection<PostId> posts) {
        return reads.query("""
                        SELECT %s, r.fence, d.turn, d.content, d.tool
                        FROM agents.runs r LEFT JOIN agents.drafts d ON d.run_id = r.id AND d.fence = r.fence
                        WHERE r.post_id = ANY (:posts)
                        ORDER BY r.id
                        """.formatted(AgentRunStore.COLUMNS))
                .bindArray("posts", Long.class, posts, PostId::value)
                .map(RunDraftStore::live)
                .list();
    }

    private static LiveRun live(ResultSet row) throws SQLException {
        @Nullable String content = row.getString("content");
        var draft = content == null ? RunDraft.NONE : new RunDraft(row.getInt("turn"), content, row.getString("tool"));
        return new LiveRun(AgentRunStore.run(row), row.getLong("fence"), draft);
    }
}
