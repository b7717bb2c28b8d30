package io.hiroba.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which sagas are meant. */
final class SagaFilterOptions {

    @Option(names = "--workflow", paramLabel = "NAME", description = "Only those of this workflow.")
    private @Nullable String workflow;

    @Option(
            names = "--status",
            paramLabel = "STATUS",
            description =
                    "Only those that are STARTED, RUNNING, COMPLETED, COMPENSATING, FAILED or CANCELLED, or WAITING for"
                            + " a signal or an approval.")
    private @Nullable String status;

    @Option(names = "--correlation-id", paramLabel = "ID", description = "Only those that are known by this.")
    private @Nullable String correlation;

    @Option(names = "--stuck", description = "Only those that cannot go on without a person.")
    private boolean stuck;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "Only those that were started then or later, for example 2026-01-31T09:00:00Z.")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "TIME", description = "Only those that were started before that.")
    private @Nullable String to;

    @Option(names = "--schedule", paramLabel = "ID", description = "Only those that this schedule started.")
    private @Nullable String schedule;

    @Option(names = "--parent", paramLabel = "ID", description = "Only those that this saga started.")
    private @Nullable String parent;

    @Option(
            names = "--attribute",
            paramLabel = "CONDITION",
            description = "Only those with this search attribute, such as total>=100. May be given several times.")
    private List<String> attributes = List.of();

    /** By their names in the API; those that are not given are left out. */
    Map<String, Object> filters() {
        var filters = new LinkedHashMap<String, Object>();
        put(filters, "workflowName", workflow);
        put(filters, "status", status);
        put(filters, "correlationId", correlation);
        put(filters, "stuck", stuck ? Boolean.TRUE : null);
        put(filters, "from", from);
        put(filters, "to", to);
        put(filters, "schedule", schedule);
        put(filters, "parent", parent);
        put(filters, "attribute", attributes.isEmpty() ? null : attributes);
        return filters;
    }

    private static void put(Map<String, Object> filters, String name, @Nullable Object value) {
        if (value != null) {
            filters.put(name, value);
        }
    }
}
