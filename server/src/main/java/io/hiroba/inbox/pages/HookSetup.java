package io.hiroba.inbox.pages;

import io.hiroba.inbox.gitlab.Connections;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The settings of a webhook that an admin enters in GitLab. It holds the secret, which is shown this once.
 *
 * @param url and {@code secret}: for the fields of the same names
 */
public record HookSetup(String id, String name, String url, String secret) {

    /** A trigger of a webhook: its label in GitLab and its parameter in GitLab's API. */
    private record Trigger(String label, String parameter) {}

    private static final List<Trigger> TRIGGERS = List.of(
            new Trigger("Push events", "push_events"),
            new Trigger("Comments", "note_events"),
            new Trigger("Confidential comments", "confidential_note_events"),
            new Trigger("Issue events", "issues_events"),
            new Trigger("Confidential issue events", "confidential_issues_events"),
            new Trigger("Merge request events", "merge_requests_events"),
            new Trigger("Job events", "job_events"),
            new Trigger("Pipeline events", "pipeline_events"),
            new Trigger("Emoji events", "emoji_events"),
            new Trigger("Project or group access token events", "resource_access_token_events"));

    /** The triggers that only groups offer. */
    private static final List<Trigger> GROUP_TRIGGERS = List.of(
            new Trigger("Member events", "member_events"),
            new Trigger("Project events", "project_events"),
            new Trigger("Subgroup events", "subgroup_events"));

    static HookSetup of(Connections.Issued issued) {
        return new HookSetup(issued.connection().id().hex(), issued.connection().name(), issued.url(), issued.secret());
    }

    public List<String> triggers() {
        return TRIGGERS.stream().map(Trigger::label).toList();
    }

    public String groupTriggers() {
        return GROUP_TRIGGERS.stream().map(Trigger::label).collect(Collectors.joining(", "));
    }

    /** All settings as plain text, to be copied. */
    public String text() {
        return "URL: %s%nSecret token: %s%nTriggers: %s; in a group also %s"
                .formatted(url, secret, String.join(", ", triggers()), groupTriggers());
    }

    public String curl() {
        return command("projects", TRIGGERS);
    }

    public String groupCurl() {
        var all = new ArrayList<>(TRIGGERS);
        all.addAll(GROUP_TRIGGERS);
        return command("groups", all);
    }

    private String command(String kind, List<Trigger> triggers) {
        var events = triggers.stream()
                .map(trigger -> "  --data '%s=true'".formatted(trigger.parameter()))
                .collect(Collectors.joining(" \\\n"));
        return """
                curl --request POST "$GITLAB_URL/api/v4/%s/$ID/hooks" \\
                  --header "PRIVATE-TOKEN: $GITLAB_TOKEN" \\
                  --data-urlencode 'url=%s' \\
                  --data-urlencode 'token=%s' \\
                %s""".formatted(kind, url, secret, events);
    }

    @Override
    public String toString() {
        return "HookSetup[" + id + "]";
    }
}
