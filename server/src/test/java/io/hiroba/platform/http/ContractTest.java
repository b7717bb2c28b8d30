package io.hiroba.platform.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ContractTest {

    /** Keywords whose value is any JSON. */
    private static final Set<String> OF_DATA = Set.of("default", "const", "value");

    @Test
    void theDocumentAndTheRoutesOfThePlatformAreTheSame() {
        try (var live = new LiveServer(HttpConfig.onFreePort(), builder -> builder)) {
            var documented = new TreeSet<>(ContractRoutes.documented());
            documented.removeIf(route ->
                    route.contains(" /api/") || ContractRoutes.isOfAFeature(route.substring(route.indexOf('/'))));
            assertThat(ContractRoutes.registered(live.server))
                    .isEqualTo(documented)
                    .isNotEmpty();
        }
    }

    @Test
    void noTextIsTakenForAKeyword() {
        assertThat(withoutValue("", ContractDocument.read())).isEmpty();
    }

    /** What stands behind a comma of a text that is not quoted is a key without a value, in schemas and in examples. */
    private static List<String> withoutValue(String path, JsonNode node) {
        var found = new ArrayList<String>();
        for (var entry : node.properties()) {
            var here = path + "/" + entry.getKey();
            boolean isData = OF_DATA.contains(entry.getKey());
            boolean isText = entry.getKey().matches(".*[ ?.!].*|.+,.+");
            if (entry.getValue().isNull() && !isData && (isText || !path.contains("/example"))) {
                found.add(here);
            }
            found.addAll(withoutValue(here, entry.getValue()));
        }
        if (node.isArray()) {
            node.forEach(element -> found.addAll(withoutValue(path, element)));
        }
        return found;
    }
}
