package io.hiroba;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.config.ConfigLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** What {@code Dockerfile} and {@code compose.yaml} say of the program, which no engine runs here. */
class ContainerFilesTest {

    private static final Path ROOT = Path.of("..");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{\\w+:-([^}]*)}");

    /** The words of an instruction in its form of an array, which may go on over several lines. */
    private static List<String> words(String instruction) throws IOException {
        var text = Files.readString(ROOT.resolve("Dockerfile")).replaceAll("\\\\\n\\s*", "");
        var line = text.lines()
                .filter(each -> each.startsWith(instruction + " ["))
                .findFirst()
                .orElseThrow();
        return JsonMapper.shared()
                .readTree(line.substring(instruction.length()))
                .valueStream()
                .map(JsonNode::asString)
                .toList();
    }

    private static JsonNode services() {
        return new YAMLMapper().readTree(ROOT.resolve("compose.yaml").toFile()).path("services");
    }

    @Test
    void bothStartAServerWithSettingsThatItKnows() throws IOException {
        var command = words("CMD");
        var hiroba = services().path("hiroba");
        var variables = hiroba.path("environment")
                .propertyStream()
                .collect(Collectors.toMap(
                        each -> each.getKey(),
                        each -> VARIABLE.matcher(each.getValue().asString()).replaceAll("$1")));
        var config = ConfigLoader.of(AppConfig.class)
                .environment(variables)
                .arguments(command.subList(1, command.size()))
                .load()
                .value();
        assertThat(command.getFirst()).isEqualTo("serve");
        assertThat(words("ENTRYPOINT").getLast()).isEqualTo(Main.class.getName());
        assertThat(config.http().host()).isEqualTo("0.0.0.0");
        assertThat(config.database().url())
                .startsWith("jdbc:postgresql://"
                        + services().propertyNames().stream()
                                .filter(name -> !name.equals("hiroba"))
                                .findFirst()
                                .orElseThrow());
        assertThat(config.data()).asString().isEqualTo(volume(hiroba));
        assertThat(Files.readString(ROOT.resolve("Dockerfile"))).contains("VOLUME " + volume(hiroba) + "\n");
        assertThat(services()
                        .path("database")
                        .path("environment")
                        .path("POSTGRES_USER")
                        .asString())
                .isEqualTo(config.database().user());
        assertThat(hiroba.path("ports")
                        .valueStream()
                        .map(port -> port.asString().replaceFirst(".*:", "")))
                .containsExactly(
                        Integer.toString(config.http().port()),
                        Integer.toString(config.grpc().portBeside(config.http().port())));
    }

    private static String volume(JsonNode service) {
        return service.path("volumes").path(0).asString().replaceFirst(".*:", "");
    }

    @Test
    void theImageRunsItAsTheLauncherDoes() throws IOException {
        var launcher = Files.readString(ROOT.resolve("launcher/server.sh"));
        var flags = words("ENTRYPOINT").stream()
                .filter(word -> word.startsWith("-X") || word.startsWith("--"))
                .filter(word -> !word.startsWith("-XX:MaxRAMPercentage"))
                .toList();
        assertThat(flags)
                .hasSizeGreaterThan(5)
                .allSatisfy(flag -> assertThat(launcher).contains(flag));
        assertThat(flags).contains("--sun-misc-unsafe-memory-access=allow");
    }
}
