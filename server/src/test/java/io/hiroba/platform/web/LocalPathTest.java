package io.hiroba.platform.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalPathTest {

    @ParameterizedTest
    @ValueSource(strings = {"/", "/users", "/users?prefix=%E5%B1%B1&after=x", "/a/../b", "/#main"})
    void aPathOfOursIsLocal(String path) {
        assertThat(LocalPath.isLocal(path)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "users", "//evil.example", "/\\evil.example", "\\\\evil.example", "https://evil.example",
                "javascript:alert(1)", "/\t/evil.example", "/a\r\nSet-Cookie: x=y", " /", "/a b", "/山"
            })
    void anythingElseIsNot(String path) {
        assertThat(LocalPath.orElse(path, "/home")).isEqualTo("/home");
    }

    @Test
    void nothingIsNotLocal() {
        assertThat(LocalPath.isLocal(null)).isFalse();
    }
}
