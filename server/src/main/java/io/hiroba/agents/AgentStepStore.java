package io.hiroba.agents;

import io.hiroba.agents.AgentRun.Reason;
import io.hiroba.agents.AgentRun.State;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Rows of questions that steps of sagas ask agents. */
final class AgentStepStore {

    /** A question of a step, and its run. */
    record StepQuestion(String prompt, AnswerForm form) {}

    /** The outcome of a question so far. */
    record StepAnswer(
            State state, @Nullable Reason reason, @Nullable String answer) {}

    /** Lets attempts at one step wait for one another. */
    void lock(Tx tx, String key) {
        tx.lock("agents.step", key);
    }

    void insert(Tx tx, long run, String key, StepQuestion question) {
        tx.update("""
                        INSERT INTO agents.step_questions (run_id, key, prompt, form) VALUES (:run, :key, :prompt, :form)
                        """)
                .bind("run", run)
                .bind("key", key)
                .bind("prompt", question.prompt())
                .bind("form", question.form().json())
                .execute();
    }

    Optional<StepAnswer> answer(Reads reads, String key) {
        return reads.query("""
                        SELECT r.state, r.reason, q.answer FROM agents.step_questions q
                        JOIN agents.runs r ON r.id = q.run_id
                        WHERE q.key = :key
                        """)
                .bind("key", key)
                .map(row -> {
                    @Nullable String reason = row.getString("reason");
                    return new StepAnswer(
                            State.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
                            reason == null
                                    ? null
                                    : Reason.valueOf(
                                            reason.toUpperCase(Locale.ROOT).replace('-', '_')),
                            row.getString("answer"));
                })
                .findOne();
    }

    Optional<StepQuestion> question(Reads reads, long run) {
        return reads.query("SELECT prompt, form FROM agents.step_questions WHERE run_id = :run")
                .bind("run", run)
                .map(row -> new StepQuestion(
                        row.getString("prompt"),
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

    void setAnswer(Tx tx, long run, String answer) {
        tx.update("UPDATE agents.step_questions SET answer = :answer WHERE run_id = :run")
                .bind("run", run)
                .bind("answer", answer)
                .execute();
    }
}
