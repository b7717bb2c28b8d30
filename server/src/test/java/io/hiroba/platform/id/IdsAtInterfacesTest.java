package io.hiroba.platform.id;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaModifier;
import io.hiroba.testkit.OwnClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Ids are numbers inside and hex digits outside: no view and no message hands out a number. */
class IdsAtInterfacesTest {

    private static final Path PROTO = Path.of("../contract/proto");
    private static final Pattern ID_FIELD =
            Pattern.compile("^\\s*(?:optional |repeated )?(\\S+)\\s+(?:\\w+_)?ids?\\s*=");

    @Test
    void jsonAndPagesShowIdsAsText() {
        var views = OwnClasses.OWN_CLASSES.stream()
                .filter(type -> type.isRecord() && type.getSimpleName().endsWith("View"))
                .toList();
        assertThat(views).hasSizeGreaterThan(50);
        var breaches = views.stream()
                .flatMap(view -> view.getFields().stream())
                .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
                .filter(field -> field.getRawType().isAssignableTo(SnowflakeId.class)
                        || ((field.getName().equals("id") || field.getName().endsWith("Id"))
                                && List.of("long", "java.lang.Long")
                                        .contains(field.getRawType().getName())))
                .map(field -> field.getFullName())
                .toList();
        assertThat(breaches).isEmpty();
    }

    @Test
    void grpcMessagesCarryIdsAsText() throws IOException {
        var types = new ArrayList<String>();
        try (var files = Files.walk(PROTO)) {
            for (var file :
                    files.filter(each -> each.toString().endsWith(".proto")).toList()) {
                for (var line : Files.readAllLines(file)) {
                    var field = ID_FIELD.matcher(line);
                    if (field.find()) {
                        types.add(field.group(1));
                    }
                }
            }
        }
        assertThat(types).isNotEmpty().containsOnly("string");
    }
}
