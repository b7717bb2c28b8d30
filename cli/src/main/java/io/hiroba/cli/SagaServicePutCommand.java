package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "put", description = "Say where a service is, or that it has moved, as an admin.")
final class SagaServicePutCommand extends RemoteCommand {

    @Parameters(index = "0", paramLabel = "NAME", description = "The name by which workflows call it.")
    private String name = "";

    @Parameters(index = "1", paramLabel = "ENDPOINT", description = "Such as https://stock or grpc://stock:9000.")
    private String endpoint = "";

    SagaServicePutCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        answer(
                api().put(SagaServiceCommands.PATH + "/" + UrlPaths.segment(name), Map.of("endpoint", endpoint)),
                put -> text(
                        "saga.service-put",
                        put.path("name").asString(""),
                        put.path("endpoint").asString("")));
    }
}
