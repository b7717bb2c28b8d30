package io.hiroba.bench.chaos.agents;

import io.hiroba.platform.id.Ids;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/**
 * The check of what agents changed: each note that they posted is there once and was small or approved, what was approved was carried
 * out, what was rejected was not, and whoever decided was believed.
 */
final class ChangesCheck {

    /** With what the posts begin that agents make by a tool. */
    static final String NOTE = "Noted ";

    private static final Map<String, String> QUERIES = Map.of(
            "is a note that no change of its agent allows",
            """
            SELECT p.id FROM social.posts p JOIN social.post_details d ON d.post_id = p.id
            WHERE d.content LIKE 'Noted %' AND NOT EXISTS (
                SELECT FROM agents.actions a JOIN agents.runs r ON r.id = a.run_id
                WHERE r.agent_id = p.owned_by AND a.input::jsonb ->> 'content' = d.content
                  AND a.state IN ('small', 'approved') AND a.started_at IS NOT NULL)
            """,
            "is a note that is there twice",
            """
            SELECT min(p.id) FROM social.posts p JOIN social.post_details d ON d.post_id = p.id
            WHERE d.content LIKE 'Noted %' GROUP BY p.owned_by, d.content HAVING count(*) > 1
            """,
            "is a change that was made without a note of its own",
            """
            SELECT a.id FROM agents.actions a
            WHERE a.tool = 'posts_create' AND a.ended_at IS NOT NULL AND NOT a.failed
              AND a.state IN ('small', 'approved')
              AND NOT EXISTS (SELECT FROM social.posts p JOIN social.post_details d ON d.post_id = p.id
                              WHERE p.id = a.post_id AND d.content = a.input::jsonb ->> 'content')
            """,
            "is a change that was allowed and not tried, although its run was answered",
            """
            SELECT a.id FROM agents.actions a JOIN agents.runs r ON r.id = a.run_id
            WHERE a.state IN ('small', 'approved') AND a.ended_at IS NULL AND r.state = 'answered'
            """,
            "is a change that nobody decided and that is still open",
            "SELECT id FROM agents.actions WHERE state = 'open'",
            "is a change of a member's agent that its caller was not asked for",
            """
            SELECT a.id FROM agents.actions a
            JOIN agents.runs r ON r.id = a.run_id
            JOIN agents.agents g ON g.user_id = r.agent_id
            WHERE a.state = 'small' AND g.owner_id IS NOT NULL AND g.owner_id <> r.caller_id
            """,
            "is a change that was asked for, and has not one item in the inbox of its caller, done with",
            """
            SELECT a.id FROM agents.actions a
            JOIN agents.runs r ON r.id = a.run_id
            LEFT JOIN inbox.resources s
                ON s.external_id = upper(lpad(to_hex(a.id), 16, '0')) AND s.type = 7 AND s.connection_id = 1
            WHERE a.state IN ('approved', 'rejected')
              AND (SELECT count(*) FILTER (WHERE n.user_id = r.caller_id AND n.state = 2) - count(*) FILTER (WHERE n.user_id <> r.caller_id OR n.state <> 2)
                   FROM inbox.notifications n WHERE n.resource_id = s.id) <> 1
            """);

    private ChangesCheck() {}

    /** What is not as it should be. */
    static List<String> differences(Handle handle, Decisions decisions) {
        var found = QUERIES.entrySet().stream()
                .flatMap(query -> handle.createQuery(query.getValue()).mapTo(Long.class).list().stream()
                        .map(id -> "%s %s".formatted(Ids.hex(id), query.getKey())));
        return Stream.concat(Stream.concat(decisions.violations().stream(), found), disbelieved(handle, decisions))
                .toList();
    }

    private static Stream<String> disbelieved(Handle handle, Decisions decisions) {
        var states = new HashMap<String, String>();
        handle.createQuery("SELECT id, state FROM agents.actions")
                .map((row, ctx) -> Map.entry(Ids.hex(row.getLong("id")), row.getString("state")))
                .forEach(each -> states.put(each.getKey(), each.getValue()));
        return decisions.approved().entrySet().stream()
                .filter(each -> !(each.getValue() ? "approved" : "rejected").equals(states.get(each.getKey())))
                .map(each -> "%s is %s, and was confirmed to be %s"
                        .formatted(
                                each.getKey(), states.get(each.getKey()), each.getValue() ? "approved" : "rejected"));
    }
}
