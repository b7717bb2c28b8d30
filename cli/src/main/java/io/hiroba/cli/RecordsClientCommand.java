package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "client", description = "Write a typed client of a project, for programs in TypeScript or Java.")
final class RecordsClientCommand extends RemoteCommand {

    private static final String JAVA = "java";
    private static final String TYPESCRIPT = "typescript";
    private static final String CLASS = "HirobaClient";

    @Parameters(paramLabel = "PROJECT", description = "The project's id or name.")
    private String project = "";

    @Option(names = "--language", required = true, paramLabel = "LANGUAGE", description = "typescript or java.")
    private String language = "";

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "The file to write, which names the class in Java.")
    private @Nullable Path output;

    @Option(names = "--package", paramLabel = "PACKAGE", description = "The package of the class in Java.")
    private String packageName = "";

    RecordsClientCommand(CliEnvironment environment) {
        super(environment);
    }

    @Override
    void run() {
        if (!language.equals(JAVA) && !language.equals(TYPESCRIPT)) {
            throw Failure.usage(text("records.client-language", language));
        }
        if (!packageName.isEmpty() && !Stream.of(packageName.split("\\.", -1)).allMatch(JavaClient::isName)) {
            throw Failure.usage(text("records.client-name", packageName));
        }
        var className = className();
        var api = api();
        var path = RecordsCommands.project(api, project);
        var schemas = schemas(api, path);
        var id = path.substring(path.lastIndexOf('/') + 1);
        var client = language.equals(JAVA)
                ? JavaClient.of(runtime("client.java.txt"), packageName, className, id, schemas)
                : TypeScriptClient.of(runtime("client.ts"), id, schemas);
        var file = output;
        if (file == null) {
            environment().out().print(client);
            return;
        }
        var bytes = client.getBytes(StandardCharsets.UTF_8);
        try {
            Files.write(file, bytes);
        } catch (IOException e) {
            throw Failure.of(Cli.FAILED, "cli.output", text("input.unwritable", file, e));
        }
        answer(
                CliJson.object("file", file.toString(), "bytes", (long) bytes.length),
                done -> text("records.written", file, (long) bytes.length));
    }

    /** In Java, a public class is in a file of its name. */
    private String className() {
        var file = output == null ? null : output.getFileName();
        if (file == null || !language.equals(JAVA)) {
            return CLASS;
        }
        var name = file.toString().replaceFirst("\\.java$", "");
        if (!JavaClient.isName(name)) {
            throw Failure.usage(text("records.client-name", name));
        }
        return name;
    }

    private static List<ClientSchema> schemas(Api api, String project) {
        var schemas = new ArrayList<ClientSchema>();
        var next = "";
        do {
            var page = api.get(
                    project + "/schemas" + UrlPaths.query("limit", 1000, "after", next.isEmpty() ? null : next));
            page.path("items").forEach(schema -> schemas.add(ClientSchema.of(schema)));
            next = page.path("next").asString("");
        } while (!next.isEmpty());
        return schemas;
    }

    private static String runtime(String name) {
        try (var resource = Objects.requireNonNull(RecordsClientCommand.class.getResourceAsStream(name), name)) {
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
