package io.hiroba.agents;

import io.hiroba.accounts.UserId;
import io.hiroba.agents.AgentRun.Reason;
import io.hiroba.agents.AgentRun.State;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Rows of questions that steps of sagas ask agents. */
final class AgentStepStore {

    /**
     * A question of a step.
     *
     * @param data what the agent is given to read besides; empty for nothing
     */
    record StepQuestion(String prompt, String data, AnswerForm form) {}

    /**
     * The outcome of a question so far.
     *
     * @param age how long ago it was asked
     * @param paused whether its agent is
     */
    record StepAnswer(
            long run,
            UserId agent,
            State state,
            @Nullable Reason reason,
            @Nullable String answer,
            Duration age,
            boolean paused) {}

    /** A run that has not ended, with the key of the step that asks. */
    record OpenStep(long run, UserId agent, String key) {}

    /** Lets attempts at one step wait for one another. */
    void lock(Tx tx, String key) {
        tx.lock("agents.step", key);
    }

    void insert(Tx tx, long run, String key, StepQuestion question) {
        tx.update("""
                        INSERT INTO agents.step_questions (run_id, key, prompt, data, form) VALUES (:run, :key, :prompt, :data, :form)
                        """)
                .bind("run", run)
                .bind("key", key)
                .bind("prompt", question.prompt())
                .bind("data", question.data())
                .bind("form", question.form().json())
                .execute();
    }

    Optional<StepAnswer> answer(Reads reads, String key) {
        return reads.query("""
                        SELECT r.id, r.agent_id, r.state, r.reason, q.answer,
                               CAST(extract(epoch FROM clock_timestamp() - r.created_at) * 1000 AS bigint) AS age,
                               a.paused OR EXISTS (SELECT FROM agents.switch WHERE paused) AS paused
                        FROM agents.step_questions q
                        JOIN agents.runs r ON r.id = q.run_id
                        JOIN agents.agents a ON a.user_id = r.agent_id
                        WHERE q.key = :key
                        """)
                .bind("key", key)
                .map(row -> {
                    @Nullable String reason = row.getString("reason");
                    return new StepAnswer(
                            row.getLong("id"),
                            new UserId(row.getLong("agent_id")),
                            State.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
                            reason == null
                                    ? null
                                    : Reason.valueOf(
                                            reason.toUpperCase(Locale.ROOT).replace('-', '_')),
                            row.getString("answer"),
                            Duration.ofMillis(row.getLong("age")),
                            row.getBoolean("paused"));
                })
                .findOne();
    }

    /** The runs after {@code run} of steps that have not ended, by their ids. */
    List<OpenStep> open(Reads reads, long run, int limit) {
        return reads.query("""
                        SELECT q.run_id, r.agent_id, q.key FROM agents.runs r
                        JOIN agents.step_questions q ON q.run_id = r.id
                        WHERE r.due_at IS NOT NULL AND r.woken_by = 'step' AND r.id > :run
                        ORDER BY r.id
                        LIMIT :limit
                        """)
                .bind("run", run)
                .bind("limit", limit)
                .map(row ->
                        new OpenStep(row.getLong("run_id"), new UserId(row.getLong("agent_id")), row.getString("key")))
                .list();
    }

    /** The key of the step that asks by a run. */
    Optional<String> key(Reads reads, long run) {
        return reads.query("SELECT key FROM agents.step_questions WHERE run_id = :run")
                .bind("run", run)
                .mapTo(String.class)
                .findOne();
    }

    Optional<StepQuestion> question(Reads reads, long run) {
        return reads.query("SELECT prompt, data, form FROM agents.step_questions WHERE run_id = :run")
                .bind("run", run)
                .map(row -> new StepQuestion(
                        row.getString("prompt"),
                        row.getString("data"),
                        AnswerForm.of(JsonMapper.shared().readTree(row.getString("form")))))
                .findOne();
    }

    /** The questions of those runs that steps ask, by the ids of the runs. */
    Map<Long, String> prompts(Reads reads, Collection<Long> runs) {
        return reads
                .query("SELECT run_id, prompt FROM agents.step_questions WHERE run_id = ANY (:runs)")
                .bindArray("runs", Long.class, runs)
                .map(row -> Map.entry(row.getLong("run_id"), row.getString("prompt")))
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** The sagas that ask by runs, by the ids of these. */
    Map<Long, String> sagas(Reads reads, Collection<Long> runs) {
        return reads
                .query("""
                        SELECT run_id, split_part(key, ':', 1) AS saga FROM agents.step_questions WHERE run_id = ANY (:runs)
                        """)
                .bindArray("runs", Long.class, runs)
                .map(row -> Map.entry(row.getLong("run_id"), row.getString("saga")))
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    void setAnswer(Tx tx, long run, String answer) {
        tx.update("UPDATE agents.step_questions SET answer = :answer WHERE run_id = :run")
                .bind("run", run)
                .bind("answer", answer)
                .execute();
    }
}
