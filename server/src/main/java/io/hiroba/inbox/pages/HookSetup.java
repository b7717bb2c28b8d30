package io.hiroba.inbox.pages;

import io.hiroba.inbox.gitlab.Connections;
import io.hiroba.platform.i18n.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The settings of a webhook that an admin enters in GitLab. It holds the secret, which is shown this once.
 *
 * @param url and {@code secret}: for the fields of the same names
 * @param isLocal whether the server knows no address but localhost, which GitLab cannot reach
 */
public record HookSetup(String id, String name, String url, String secret, boolean isLocal) {

    /** The triggers by their parameters in GitLab's API. */
    private static final List<String> TRIGGERS = List.of(
            "push_events",
            "note_events",
            "confidential_note_events",
            "issues_events",
            "confidential_issues_events",
            "merge_requests_events",
            "job_events",
            "pipeline_events",
            "emoji_events",
            "resource_access_token_events");

    /** The triggers that only groups offer. */
    private static final List<String> GROUP_TRIGGERS = List.of("member_events", "project_events", "subgroup_events");

    static HookSetup of(Connections.Issued issued, boolean isLocal) {
        return new HookSetup(
                issued.connection().id().hex(), issued.connection().name(), issued.url(), issued.secret(), isLocal);
    }

    /** The triggers as GitLab labels them. */
    public List<Text> triggers() {
        return labels(TRIGGERS);
    }

    public List<Text> groupTriggers() {
        return labels(GROUP_TRIGGERS);
    }

    private static List<Text> labels(List<String> triggers) {
        return triggers.stream()
                .map(trigger -> Text.of("inbox.trigger." + trigger.replace('_', '-')))
                .toList();
    }

    /** All settings as plain text, to be copied. */
    public Text text() {
        return Text.of(
                "inbox.setup-text", "url", url, "secret", secret, "triggers", triggers(), "group", groupTriggers());
    }

    public String curl() {
        return command("projects", TRIGGERS);
    }

    public String groupCurl() {
        var all = new ArrayList<>(TRIGGERS);
        all.addAll(GROUP_TRIGGERS);
        return command("groups", all);
    }

    private String command(String kind, List<String> triggers) {
        var events = triggers.stream()
                .map(trigger -> "  --data '%s=true'".formatted(trigger))
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
