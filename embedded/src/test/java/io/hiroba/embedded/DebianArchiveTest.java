package io.hiroba.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DebianArchiveTest {
    @TempDir
    Path dir;

    @Test
    void theMainArchiveIsChosenAmongTheTargets() {
        assertThat(DebianArchive.mirrorOfTargets("""
                        https://vendor.example/apt/|Vendor|main|stable
                        http://mirror.example/security/|Debian-Security|main|bookworm-security
                        http://mirror.example/archive/|Debian|contrib|bookworm
                        http://mirror.example/archive/|Debian|main|bookworm
                        """)).contains("http://mirror.example/archive/");
        assertThat(DebianArchive.mirrorOfTargets("http://mirror.example/ubuntu/|Ubuntu|main|noble\n"))
                .isEmpty();
        assertThat(DebianArchive.mirrorOfTargets("")).isEmpty();
    }

    @Test
    void anAddressThatWouldAddOptionsToASourceLineIsPassedOver() {
        assertThat(DebianArchive.mirrorOfTargets("[trusted=yes] http://mirror.example/|Debian|main|bookworm\n"))
                .isEmpty();
        assertThat(DebianArchive.mirrorOfUris("'http://mirror.example/a b/dists/bookworm/InRelease' x 0\n"))
                .isEmpty();
    }

    @Test
    void withoutListsTheMirrorIsReadFromTheAddressesOfTheReleaseFiles() {
        assertThat(DebianArchive.mirrorOfUris("""
                        'http://mirror.example/security/dists/bookworm-security/InRelease' a_InRelease 0
                        'http://mirror.example/archive/dists/bookworm/InRelease' b_InRelease 0
                        """)).contains("http://mirror.example/archive/");
        assertThat(DebianArchive.mirrorOfUris("'http://mirror.example/ubuntu/dists/noble/InRelease' c 0\n"))
                .isEmpty();
    }

    @Test
    void onlyTheWayToTheArchiveIsTakenOverFromTheMachine() {
        assertThat(DebianArchive.transportSettings("""
                        APT::Update::Post-Invoke:: "rm -f /var/cache/apt/archives/*.deb";
                        Acquire::http::Proxy "http://proxy.example:3128";
                        Acquire::AllowInsecureRepositories "1";
                        DPkg::Post-Invoke:: "true";
                        """))
                .isEqualTo("Acquire::http::Proxy \"http://proxy.example:3128\";\n");
    }

    @Test
    void aProgramIsFetchedWithItsLibrariesAlone() {
        assertThat(DebianArchive.programAndLibraries("""
                        NOTE: This is only a simulation!
                        Inst gcc-14-base (14.2.0-19 Debian:13.1/stable [amd64]) []
                        Inst libc6 (2.41-12 Debian:13.1/stable [amd64])
                        Inst perl-base (5.40.1-6 Debian:13.1/stable [amd64])
                        Inst zlib1g (1:1.3.dfsg+really1.3.1-1 Debian:13.1/stable [amd64])
                        Inst postgresql-client-17 (17.6-0 Debian:13.1/stable [amd64])
                        Conf libc6 (2.41-12 Debian:13.1/stable [amd64])
                        """, "postgresql-client-17"))
                .containsExactly("libc6", "zlib1g", "postgresql-client-17");
    }

    @Test
    void anArchiveOfForeignContentHasAnotherChecksum() throws Exception {
        Path file = Files.writeString(dir.resolve("abc"), "abc");
        assertThat(DebianArchive.sha256(file))
                .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    @Test
    void anArchiveCannotPlaceAFileOutsideItsFolder() throws Exception {
        Path target = Files.createDirectory(dir.resolve("target"));
        for (String name : new String[] {"../escaped", "/escaped"}) {
            Path archive = dir.resolve("hostile.tar.gz");
            try (var tar = new TarArchiveOutputStream(new GZIPOutputStream(Files.newOutputStream(archive)))) {
                var entry = new TarArchiveEntry(name, true);
                tar.putArchiveEntry(entry);
                tar.closeArchiveEntry();
            }
            try (var stream = Files.newInputStream(archive)) {
                assertThatThrownBy(() -> Archives.unpackGzip(stream, target))
                        .hasMessageContaining("outside of its folder");
            }
        }
        assertThat(dir.resolve("escaped")).doesNotExist();
    }
}
