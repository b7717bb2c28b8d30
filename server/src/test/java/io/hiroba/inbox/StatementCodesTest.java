package io.hiroba.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The codes in statements: the comment beside each tells what it stands for, and the types tell the same. */
class StatementCodesTest {

    private static final Path SOURCES = Path.of("src/main/java/io/hiroba/inbox");
    private static final Pattern CODE = Pattern.compile("(\\d+(?:, \\d+)*)(?: AS SMALLINT)?\\)? /\\* ([a-z_ ]+) \\*/");

    private static Map<String, String> codes() {
        var codes = new HashMap<String, String>();
        for (var action : Action.values()) {
            codes.put(action.text(), String.valueOf(action.code()));
        }
        for (var resolution : Resolution.values()) {
            codes.put(resolution.text(), String.valueOf(resolution.code()));
        }
        for (var type : ResourceType.values()) {
            codes.put(type.text().replace('_', ' '), String.valueOf(type.code()));
        }
        codes.put("to do", String.valueOf(ItemState.TODO.code()));
        codes.put("snoozed", String.valueOf(ItemState.SNOOZED.code()));
        codes.put("done", String.valueOf(ItemState.DONE.code()));
        codes.put("not done", String.valueOf(ItemState.DONE.code()));
        codes.put("mentions and access requests", all(Action::isRepeatable));
        codes.put("mentions", all(action -> action == Action.MENTIONED || action == Action.DIRECTLY_ADDRESSED));
        return codes;
    }

    private static String all(Predicate<Action> which) {
        return Arrays.stream(Action.values())
                .filter(which)
                .map(action -> String.valueOf(action.code()))
                .collect(Collectors.joining(", "));
    }

    @Test
    void eachStandsForWhatItsCommentSays() throws IOException {
        var codes = codes();
        var wrong = new TreeSet<String>();
        int found = 0;
        try (var files = Files.walk(SOURCES)) {
            for (var file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                for (var match : CODE.matcher(Files.readString(file)).results().toList()) {
                    found++;
                    if (!match.group(1).equals(codes.get(match.group(2)))) {
                        wrong.add(file.getFileName() + ": " + match.group());
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(found).isGreaterThan(40);
    }
}
