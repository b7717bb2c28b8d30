package io.hiroba.saga.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {

    @ParameterizedTest
    @CsvSource({
        "http://orders:8080,orders,8080,false",
        "https://orders.example/api/v1/,orders.example,443,false",
        "http://[::1]:9000,[::1],9000,false",
        "HTTP://10.0.0.7,10.0.0.7,80,false",
        "grpc://stock:9000,stock,9000,true",
        "grpcs://stock,stock,443,true"
    })
    void aServiceIsFoundByHostAndPort(String text, String host, int port, boolean grpc) {
        var endpoint = Endpoint.parse(text);
        assertThat(endpoint.host()).isEqualTo(host);
        assertThat(endpoint.port()).isEqualTo(port);
        assertThat(endpoint.isGrpc()).isEqualTo(grpc);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "orders:8080",
                "ftp://orders",
                "file:///etc/passwd",
                "http://",
                "http:///path",
                "http://user:secret@orders",
                "http://orders?x=1",
                "http://orders#x",
                "http://orders:0",
                "http://orders:70000",
                "http://orders/../admin",
                "http://orders/a//b",
                "http://or ders",
                "http://orders\n",
                "grpc://stock/path",
                "javascript:alert(1)"
            })
    void whatIsNoPlaceOfAServiceIsRefused(String text) {
        assertThatThrownBy(() -> Endpoint.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP://Orders:8080/Api/,http://orders:8080/Api",
        "GRPC://STOCK:9000,grpc://stock:9000",
        "Https://Orders.Example,https://orders.example"
    })
    void schemeAndHostAreKeptInLowerCase(String text, String kept) {
        assertThat(Endpoint.parse(text)).hasToString(kept);
    }

    @Test
    void aMethodGoesBelowTheEndpointsOwnPath() {
        assertThat(Endpoint.parse("http://orders/api/").at("v1/Stock.Reserve"))
                .hasToString("http://orders/api/v1/Stock.Reserve");
    }
}
