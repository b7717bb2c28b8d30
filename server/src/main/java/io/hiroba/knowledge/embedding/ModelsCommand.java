package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.InstalledModels.InstalledModel;
import io.hiroba.knowledge.embedding.ModelInstaller.Order;
import io.hiroba.knowledge.embedding.ModelSettings.Kind;
import io.hiroba.knowledge.embedding.ModelSettings.Pooling;
import io.hiroba.platform.SystemCheck;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The command {@code models}: installs, lists and removes the models of a node. */
public final class ModelsCommand {

    private static final int FAILED = 1;
    private static final int MISUSED = 2;
    private static final Set<String> SETTINGS =
            Set.of("file", "kind", "pooling", "query-prefix", "passage-prefix", "max-tokens");

    private final InstalledModels models;
    private final Set<String> configured;
    private final Language language;
    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;

    /** @param configured the names of installed models that the configuration names */
    public ModelsCommand(
            Path data, Set<String> configured, Language language, InputStream in, PrintStream out, PrintStream err) {
        this.models = new InstalledModels(data);
        this.configured = Set.copyOf(configured);
        this.language = language;
        this.in = in;
        this.out = out;
        this.err = err;
    }

    /** A command with its options. */
    private record Arguments(
            List<String> words, List<ModelSource> sources, Map<String, String> options, boolean isConfirmed) {

        String option(String name, String otherwise) {
            return options.getOrDefault(name, otherwise);
        }
    }

    /** Runs the command; the answer is the exit status. */
    public int run(List<String> args) {
        try {
            var arguments = parse(args);
            var words = arguments.words();
            if (words.equals(List.of("list"))) {
                list();
                return 0;
            }
            if (words.size() == 2 && words.getFirst().equals("install")) {
                return install(words.getLast(), arguments);
            }
            if (words.size() == 2 && words.getFirst().equals("remove")) {
                return remove(words.getLast(), arguments.isConfirmed());
            }
            return misused(Text.of("knowledge.models.usage"));
        } catch (ModelException e) {
            err.println(e.sentence().in(language));
            return FAILED;
        } catch (IOException e) {
            err.println(Text.of("knowledge.models.io", "reason", String.valueOf(e.getMessage()))
                    .in(language));
            return FAILED;
        } catch (IllegalArgumentException e) {
            return misused(Text.of("knowledge.models.bad-option", "option", String.valueOf(e.getMessage())));
        }
    }

    private int misused(Text sentence) {
        err.println(sentence.in(language));
        return MISUSED;
    }

    /** @throws IllegalArgumentException with the option that is wrong */
    private static Arguments parse(List<String> args) {
        var words = new ArrayList<String>();
        var sources = new ArrayList<ModelSource>();
        var options = new HashMap<String, String>();
        boolean isConfirmed = false;
        var left = new ArrayDeque<>(args);
        while (!left.isEmpty()) {
            var next = left.remove();
            if (!next.startsWith("--")) {
                words.add(next);
                continue;
            }
            if (next.equals("--yes")) {
                isConfirmed = true;
                continue;
            }
            int equals = next.indexOf('=');
            var name = next.substring(2, equals < 0 ? next.length() : equals);
            var value = equals >= 0 ? next.substring(equals + 1) : left.poll();
            if (value == null) {
                throw new IllegalArgumentException(next);
            }
            if (name.equals("from")) {
                sources.add(new ModelSource(value, null));
            } else if (name.equals("sha256") && !sources.isEmpty() && value.matches("[0-9A-Fa-f]{64}")) {
                sources.add(new ModelSource(sources.removeLast().from(), value));
            } else if (SETTINGS.contains(name)) {
                options.put(name, value);
            } else {
                throw new IllegalArgumentException(next);
            }
        }
        return new Arguments(words, sources, options, isConfirmed);
    }

    private int install(String name, Arguments arguments) throws ModelException, IOException {
        if (arguments.sources().isEmpty()) {
            return misused(Text.of("knowledge.models.usage"));
        }
        var order = new Order(name, arguments.sources(), arguments.option("file", ""), settings(name, arguments));
        var installed = new ModelInstaller(models, this::step).install(order);
        out.println(Text.of("knowledge.models.installed", "name", name, "folder", installed.folder())
                .in(language));
        out.println((installed.settings().kind() == Kind.ENCODER
                        ? Text.of("knowledge.models.use-encoder", "name", name)
                        : Text.of("knowledge.models.use-reranker", "name", name))
                .in(language));
        return 0;
    }

    private static ModelSettings settings(String name, Arguments arguments) {
        var known = ModelSettings.of(name);
        return new ModelSettings(
                one(Kind.class, "--kind", arguments.option("kind", known.kind().name())),
                one(
                        Pooling.class,
                        "--pooling",
                        arguments.option("pooling", known.pooling().name())),
                arguments.option("query-prefix", known.queryPrefix()),
                arguments.option("passage-prefix", known.passagePrefix()),
                tokens(arguments.option("max-tokens", String.valueOf(known.maxTokens()))),
                known.dimensions(),
                known.files());
    }

    private static <E extends Enum<E>> E one(Class<E> type, String option, String value) {
        try {
            return Enum.valueOf(type, value.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(option + " " + value, e);
        }
    }

    private static int tokens(String value) {
        try {
            int tokens = Integer.parseInt(value);
            if (tokens >= ModelSettings.MIN_TOKENS && tokens <= ModelSettings.MAX_TOKENS) {
                return tokens;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("--max-tokens " + value, e);
        }
        throw new IllegalArgumentException("--max-tokens " + value);
    }

    private void step(Text what) {
        out.println("· " + what.in(language));
    }

    private void list() {
        var all = models.list();
        if (all.isEmpty()) {
            out.println(
                    Text.of("knowledge.models.none", "folder", models.folder()).in(language));
        }
        all.forEach(each -> out.println(line(each).in(language)));
    }

    private Text line(InstalledModel model) {
        var kind = switch (model.settings().kind()) {
            case ENCODER ->
                Text.of(
                        "knowledge.models.kind-encoder",
                        "dimensions",
                        String.valueOf(model.settings().dimensions()));
            case RERANKER -> Text.of("knowledge.models.kind-reranker");
        };
        var use = isUsed(model) ? Text.of("knowledge.models.used") : Text.of("knowledge.models.unused");
        var size = SystemCheck.size(model.size());
        return Text.of("knowledge.models.line", "name", model.name(), "kind", kind, "size", size, "use", use);
    }

    private boolean isUsed(InstalledModel model) {
        return configured.contains(model.name()) || model.isHeld();
    }

    private int remove(String name, boolean isConfirmed) throws ModelException, IOException {
        var model = models.find(name)
                .orElseThrow(() -> new ModelException(Text.of("knowledge.models.unknown", "name", name)));
        if (configured.contains(name)) {
            throw new ModelException(Text.of("knowledge.models.configured", "name", name));
        }
        if (model.isHeld()) {
            throw new ModelException(Text.of("knowledge.models.held", "name", name));
        }
        if (!isConfirmed && !confirm(model)) {
            out.println(Text.of("knowledge.models.kept").in(language));
            return FAILED;
        }
        new ModelInstaller(models, this::step).remove(model);
        out.println(Text.of("knowledge.models.removed", "name", name).in(language));
        return 0;
    }

    private boolean confirm(InstalledModel model) throws IOException {
        out.print(Text.of("knowledge.models.confirm", "name", model.name(), "size", SystemCheck.size(model.size()))
                        .in(language)
                + " ");
        out.flush();
        var answer = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).readLine();
        return Optional.ofNullable(answer)
                .map(String::strip)
                .filter(word -> word.equalsIgnoreCase("y") || word.equalsIgnoreCase("yes"))
                .isPresent();
    }
}
