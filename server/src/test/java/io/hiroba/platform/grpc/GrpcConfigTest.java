package io.hiroba.platform.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.platform.config.ConfigException;
import io.hiroba.platform.config.ConfigLoader;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GrpcConfigTest {

    private static GrpcConfig load(String... flags) {
        return ConfigLoader.of(GrpcConfig.class)
                .arguments(List.of(flags))
                .load()
                .value();
    }

    @ParameterizedTest
    @CsvSource({"8080,9090", "8081,9091", "0,0", "65000,63990", "9090,10100"})
    void withoutASettingThePortFollowsThatOfHttp(int http, int grpc) {
        assertThat(load().portBeside(http)).isEqualTo(grpc);
    }

    @Test
    void aPortThatIsSetIsTaken() {
        assertThat(load("--port=7000").portBeside(8080)).isEqualTo(7000);
        assertThat(load("--port=0").portBeside(8080)).isZero();
    }

    @Test
    void theServerIsOnAndForThisMachineOnly() {
        assertThat(load().enabled()).isTrue();
        assertThat(load().host()).isEqualTo("127.0.0.1");
        assertThat(load().messageSize().bytes()).isEqualTo(1 << 20);
    }

    @Test
    void aPortThatIsNoneIsRefused() {
        assertThatThrownBy(() -> load("--port=70000")).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> load("--port=-2")).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> load("--message-size=10B")).isInstanceOf(ConfigException.class);
    }

    @Test
    void aCertificateNeedsItsKey() {
        assertThat(load().tls()).isEqualTo(GrpcConfig.Tls.NONE);
        assertThat(load("--tls.certificate=a", "--tls.key=b").tls().isConfigured())
                .isTrue();
        assertThatThrownBy(() -> load("--tls.certificate=a")).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> load("--tls.key=a")).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> load("--tls.client-ca=a")).isInstanceOf(ConfigException.class);
    }
}
