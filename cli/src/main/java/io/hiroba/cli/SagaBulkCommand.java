package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
        name = "bulk",
        description =
                "Act on all sagas that the options find, in the background: one after the other, of those that were started until now.")
final class SagaBulkCommand extends RemoteCommand {

    private static final String PATH = SagaCommands.PATH + "/bulk";

    @Parameters(paramLabel = "ACTION", description = "cancel, retry, signal or migrate.")
    private String action = "";

    @Mixin
    private final SagaFilterOptions filter = new SagaFilterOptions();

    @Option(names = "--signal", paramLabel = "NAME", description = "The signal that is sent.")
    private @Nullable String signal;

    @Mixin
    private final JsonInput payload = new JsonInput();

    @Option(
            names = "--to-version",
            paramLabel = "N",
            description = "The version of the workflow that they are migrated to.")
    private @Nullable Integer version;

    @Option(names = "--dry-run", description = "Only count them.")
    private boolean dryRun;

    SagaBulkCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        var body = new LinkedHashMap<String, Object>();
        body.put("action", action);
        body.put("filter", filter.filters());
        if (signal != null) {
            body.put("signal", signal);
        }
        var given = payload.read();
        if (given != null) {
            body.put("payload", given);
        }
        if (version != null) {
            body.put("version", version);
        }
        if (dryRun) {
            body.put("dryRun", true);
        }
        answer(api().post(PATH, body), this::told);
    }

    private String told(JsonNode answer) {
        var found = answer.path(dryRun ? "count" : "total").asLong(0);
        var count = answer.path("more").asBoolean(false) ? found + "+" : Long.toString(found);
        var job = answer.path("id").asString("");
        if (count.equals("1")) {
            return dryRun ? text("saga.bulk-count-one") : text("saga.bulk-started-one", job);
        }
        return dryRun ? text("saga.bulk-count", count) : text("saga.bulk-started", job, count);
    }
}
