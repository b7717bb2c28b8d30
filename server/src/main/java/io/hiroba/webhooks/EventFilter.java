package io.hiroba.webhooks;

import io.hiroba.platform.events.PublishedEvent;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import java.util.List;

/**
 * The events that somebody wants.
 *
 * @param patterns each a type such as {@code saga.completed}, the beginning of some as {@code saga.*}, or {@code *} for all
 * @param projects the projects whose records are wanted; empty for all
 * @param workflows the workflows whose sagas are wanted; empty for all
 */
record EventFilter(List<String> patterns, List<String> projects, List<String> workflows) {

    static final EventFilter ALL = new EventFilter(List.of("*"));

    /** How many of each there may be. */
    static final int MAX = 50;

    private static final int MAX_NAME_LENGTH = 255;

    EventFilter {
        patterns = List.copyOf(patterns);
        projects = List.copyOf(projects);
        workflows = List.copyOf(workflows);
    }

    EventFilter(List<String> patterns) {
        this(patterns, List.of(), List.of());
    }

    boolean matches(PublishedEvent event) {
        return matches(event.type())
                && isAmong(projects, event.data().path(PublishedEvent.PROJECT).asString(""))
                && isAmong(workflows, event.data().path(PublishedEvent.WORKFLOW).asString(""));
    }

    /** An event that is of none is not left out. */
    private static boolean isAmong(List<String> wanted, String of) {
        return wanted.isEmpty() || of.isEmpty() || wanted.contains(of);
    }

    boolean matches(String type) {
        return patterns.stream().anyMatch(pattern -> matches(pattern, type));
    }

    static boolean matches(String pattern, String type) {
        return pattern.equals("*")
                || pattern.equals(type)
                || (pattern.endsWith(".*") && type.startsWith(pattern.substring(0, pattern.length() - 1)));
    }

    /** The ids of projects, in upper case. */
    static List<String> validProjects(String field, List<String> projects) {
        if (projects.size() > MAX || !projects.stream().allMatch(Ids::isId)) {
            throw WebhooksProblem.invalid(field, Text.of("webhooks.field.projects", "max", MAX));
        }
        return projects.stream().map(id -> Ids.hex(Ids.parse(id))).distinct().toList();
    }

    static List<String> validWorkflows(String field, List<String> workflows) {
        boolean fit = workflows.stream()
                .allMatch(name -> !name.isBlank() && name.length() <= MAX_NAME_LENGTH && name.indexOf('\0') < 0);
        if (workflows.size() > MAX || !fit) {
            throw WebhooksProblem.invalid(
                    field, Text.of("webhooks.field.workflows", "max", MAX, "length", MAX_NAME_LENGTH));
        }
        return workflows.stream().distinct().toList();
    }
}
