package io.hiroba.bench.chaos.agents;

import io.hiroba.platform.id.Ids;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;

/**
 * The result of checking all runs of agents against the posts, the memory, the budgets, the decisions of people and the calls that the
 * service had.
 *
 * @param ended the number of runs by state and reason
 */
record AgentsReport(Map<String, Integer> ended, List<String> differences) {

    /** An agent answers another one's question, and that one does not answer the answer. */
    static final int MAX_DEPTH = 2;

    static AgentsReport of(Handle handle, ModelCalls calls, Decisions decisions, BudgetLimits limits) {
        return handle.inTransaction(
                TransactionIsolationLevel.REPEATABLE_READ, tx -> new Check(tx, calls, decisions, limits).report());
    }

    /** Whether every question has woken its agent, and every run has ended. */
    static boolean isSettled(Handle handle) {
        return handle.createQuery("SELECT NOT EXISTS (SELECT FROM agents.runs WHERE due_at IS NOT NULL)")
                .mapTo(Boolean.class)
                .one();
    }

    /** The check of one snapshot. */
    private static final class Check {

        private final Handle handle;
        private final ModelCalls calls;
        private final Decisions decisions;
        private final BudgetLimits limits;
        private final List<String> differences = new ArrayList<>();

        Check(Handle handle, ModelCalls calls, Decisions decisions, BudgetLimits limits) {
            this.handle = handle;
            this.calls = calls;
            this.decisions = decisions;
            this.limits = limits;
        }

        AgentsReport report() {
            differences.addAll(calls.violations());
            checkRuns();
            checkReplies();
            checkAnswers();
            checkMemory();
            checkBudgets();
            differences.addAll(ChangesCheck.differences(handle, decisions));
            return new AgentsReport(ended(), List.copyOf(differences));
        }

        private Map<String, Integer> ended() {
            var ended = new TreeMap<String, Integer>();
            handle.createQuery("""
                            SELECT concat_ws(' ', state, reason) AS how, count(*) AS runs FROM agents.runs GROUP BY 1
                            """)
                    .map((row, ctx) -> Map.entry(row.getString("how"), row.getInt("runs")))
                    .forEach(each -> ended.put(each.getKey(), each.getValue()));
            return ended;
        }

        /** Adds a difference for each id that {@code sql} finds. */
        private void none(String what, String sql) {
            handle.createQuery(sql)
                    .mapTo(Long.class)
                    .forEach(id -> differences.add("%s %s".formatted(Ids.hex(id), what)));
        }

        private void checkRuns() {
            none("is a post that should have woken an agent, and did not", """
                    SELECT p.id FROM social.posts p JOIN agents.agents a ON a.user_id <> p.owned_by
                    WHERE (EXISTS (SELECT FROM social.post_mentions m WHERE m.post_id = p.id AND m.user_id = a.user_id)
                           OR EXISTS (SELECT FROM social.posts q WHERE q.id = p.reply_to AND q.owned_by = a.user_id))
                      AND NOT EXISTS (SELECT FROM agents.runs r WHERE r.agent_id = a.user_id AND r.post_id = p.id)
                    """);
            none("is a run that did not end", "SELECT id FROM agents.runs WHERE due_at IS NOT NULL");
            none(
                    "is a run that should have been refused, after so many agents in a row",
                    "SELECT id FROM agents.runs WHERE depth >= %d AND reason IS DISTINCT FROM 'depth'"
                            .formatted(MAX_DEPTH));
            none("is a run whose end says nothing", """
                    SELECT id FROM agents.runs
                    WHERE (state IN ('answered', 'failed') AND reply_id IS NULL)
                       OR (state = 'refused' AND reply_id IS NOT NULL)
                       OR (state IN ('refused', 'failed')) <> (reason IS NOT NULL)
                    """);
        }

        private void checkReplies() {
            none("is a run whose reply is not there, or another's", """
                    SELECT r.id FROM agents.runs r LEFT JOIN social.posts p ON p.id = r.reply_id
                    WHERE r.reply_id IS NOT NULL
                      AND (p.id IS NULL OR p.owned_by <> r.agent_id
                           OR p.reply_to <> r.post_id
                           OR (p.reply_to IS NULL AND EXISTS (SELECT FROM social.posts q WHERE q.id = r.post_id)))
                    """);
            none("is a post of an agent that no run ended with", """
                    SELECT p.id FROM social.posts p JOIN agents.agents a ON a.user_id = p.owned_by
                    JOIN social.post_details d ON d.post_id = p.id
                    WHERE NOT EXISTS (SELECT FROM agents.runs r WHERE r.reply_id = p.id) AND d.content NOT LIKE 'Noted %'
                    """);
            none("was replied to twice by an agent", """
                    SELECT p.reply_to FROM social.posts p JOIN agents.agents a ON a.user_id = p.owned_by
                    WHERE p.reply_to IS NOT NULL
                    GROUP BY p.reply_to, p.owned_by
                    HAVING count(*) > 1
                    """);
            none("is a run whose reply is not noted once", """
                    SELECT r.id
                    FROM agents.runs r
                    LEFT JOIN (SELECT payload ->> 'run' AS run, count(*) AS times FROM accounts.ai_actions
                               WHERE payload ->> 'action' = 'reply'
                               GROUP BY 1) AS a ON a.run = upper(lpad(to_hex(r.id), 16, '0'))
                    WHERE r.state IN ('answered', 'failed') AND a.times IS DISTINCT FROM 1
                    """);
        }

        /** An answer is to its question, and for its asker. */
        private void checkAnswers() {
            handle.createQuery("""
                            SELECT r.id, q.content AS question, a.content AS answer
                            FROM agents.runs r
                            JOIN social.post_details q ON q.post_id = r.post_id
                            JOIN social.post_details a ON a.post_id = r.reply_id
                            WHERE r.state = 'answered'
                            """)
                    .map((row, ctx) -> {
                        var question = row.getString("question");
                        var asked = Question.in(question);
                        var answered = Question.first(row.getString("answer"));
                        return asked.equals(answered)
                                ? ""
                                : "run %s answered %s with %s"
                                        .formatted(Ids.hex(row.getLong("id")), question, row.getString("answer"));
                    })
                    .filter(difference -> !difference.isEmpty())
                    .forEach(differences::add);
        }

        /** Each answer is remembered once, by the one who asked. */
        private void checkMemory() {
            var remembered = new HashMap<Question, Integer>();
            handle.createQuery("""
                            SELECT u.id, u.nickname, u.ai_model, m.content
                            FROM knowledge.session_messages m
                            JOIN knowledge.sessions s ON s.id = m.session_id
                            JOIN accounts.users u ON u.id = s.owned_by
                            WHERE m.role = 'assistant'
                            """)
                    .map((row, ctx) -> {
                        var owner = ModelCalls.asker(
                                row.getLong("id"), row.getString("nickname"), row.getString("ai_model"));
                        var answer = Question.first(row.getString("content")).orElse(new Question("?", "?"));
                        remembered.merge(answer, 1, Integer::sum);
                        return owner.equals(answer.asker()) ? "" : owner + " remembers " + answer.answered();
                    })
                    .filter(difference -> !difference.isEmpty())
                    .forEach(differences::add);
            var answers = handle.createQuery("""
                            SELECT a.content FROM agents.runs r JOIN social.post_details a ON a.post_id = r.reply_id
                            WHERE r.state = 'answered'
                            """)
                    .mapTo(String.class)
                    .map(content -> Question.first(content).orElse(new Question("?", "?")))
                    .list();
            for (var answer : answers) {
                remembered.merge(answer, -1, Integer::sum);
            }
            remembered.forEach((answer, count) -> {
                if (count != 0) {
                    differences.add("%s is remembered %+d times too often".formatted(answer.answered(), count));
                }
            });
        }

        /**
         * No budget is exceeded, and what the service charged or runs report is booked; but a question that a node gave up before it
         * had read a word of an answer is free to it, although the service may have sent some: a node that is suspended reads it late.
         */
        private void checkBudgets() {
            differences.addAll(limits.exceeded(handle));
            handle.createQuery("""
                            SELECT u.kind, u.subject, sum(u.tokens) AS tokens, p.nickname, p.ai_model,
                                   (SELECT coalesce(sum(r.tokens_in + r.tokens_out), 0) FROM agents.runs r
                                    WHERE u.kind = 'all' OR (u.kind = 'agent' AND r.agent_id = u.subject)
                                       OR (u.kind = 'caller' AND r.caller_id = u.subject)) AS reported,
                                   (SELECT count(*) FROM accounts.ai_actions a
                                    WHERE a.payload ->> 'action' = 'model-call' AND a.payload ->> 'failure' ~ 'in time|timeout|broke'
                                      AND (u.kind = 'all' OR (u.kind = 'agent' AND a.user_id = u.subject)
                                           OR (u.kind = 'caller'
                                               AND a.payload ->> 'caller' = upper(lpad(to_hex(u.subject), 16, '0'))))) AS given_up
                            FROM agents.usage u LEFT JOIN accounts.users p ON p.id = u.subject
                            GROUP BY u.kind, u.subject, p.nickname, p.ai_model
                            """)
                    .map((row, ctx) -> {
                        var name = BudgetLimits.name(row);
                        long booked = row.getLong("tokens");
                        long charged = calls.charged(name);
                        long unread = row.getLong("given_up") * calls.largestQuestion();
                        return booked + unread >= charged && booked >= row.getLong("reported")
                                ? ""
                                : "%s: %,d tokens are booked, where the service charged %,d and runs say %,d"
                                        .formatted(name, booked, charged, row.getLong("reported"));
                    })
                    .filter(difference -> !difference.isEmpty())
                    .forEach(differences::add);
        }
    }
}
