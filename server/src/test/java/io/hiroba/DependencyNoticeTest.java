package io.hiroba;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;
import org.junit.jupiter.api.Test;

/** The libraries that modules name against the notices: a new one is a decision about its licence, too. */
class DependencyNoticeTest {

    private static final Path ROOT = Path.of("..");
    private static final List<String> BUILT_IN =
            List.of("pom.xml", "contract", "embedded", "server", "cli", "client", "client-testkit");

    @Test
    void everyLibraryThatIsBuiltInHasItsLicenceInTheNotice() throws IOException {
        var noticed = new TreeSet<String>();
        Files.readAllLines(ROOT.resolve("NOTICE")).stream()
                .filter(line -> line.matches("[\\w.-]+:[\\w.-]+ +\\S.*"))
                .forEach(line -> noticed.add(line.substring(0, line.indexOf(' '))));
        var built = new TreeSet<String>();
        for (var module : BUILT_IN) {
            var pom = module.endsWith(".xml") ? ROOT.resolve(module) : ROOT.resolve(module, "pom.xml");
            var xml = Jsoup.parse(Files.readString(pom), Parser.xmlParser());
            xml.select("project > dependencies > dependency, profile > dependencies > dependency").stream()
                    .filter(DependencyNoticeTest::isBuiltIn)
                    .forEach(each -> built.add(text(each, "groupId") + ":" + text(each, "artifactId")));
        }
        assertThat(built).contains("io.javalin:javalin").hasSizeGreaterThan(40);
        assertThat(noticed)
                .as("lines `group:artifact  licence` of NOTICE; a new library also wants a line in an ADR")
                .containsAll(built);
    }

    private static boolean isBuiltIn(Element dependency) {
        return !text(dependency, "groupId").equals("io.hiroba")
                && !List.of("test", "provided").contains(text(dependency, "scope"));
    }

    private static String text(Element dependency, String name) {
        var child = dependency.selectFirst("> " + name);
        return child == null ? "" : child.text().strip();
    }
}
