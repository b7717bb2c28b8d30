package io.hiroba.social.media.picture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.social.media.picture.BoundedStream.StoppedException;
import java.io.IOException;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class BoundedStreamTest {

    @Test
    void aFileIsReadByteByByteAndAtOnce() throws IOException {
        try (var stream = new BoundedStream(new byte[] {1, 2, (byte) 0xFF}, 1 << 20)) {
            assertThat(stream.read()).isEqualTo(1);
            var rest = new byte[5];
            assertThat(stream.read(rest, 1, 4)).isEqualTo(2);
            assertThat(rest).containsExactly(0, 2, -1, 0, 0);
            assertThat(stream.read()).isEqualTo(-1);
            assertThat(stream.length()).isEqualTo(3);
            stream.seek(2);
            assertThat(stream.read()).isEqualTo(0xFF);
        }
    }

    @Test
    void whoReadsOnAfterTheEndIsStopped() throws IOException {
        try (var stream = new BoundedStream(new byte[] {1}, 1 << 20)) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 1000; i++) {
                            stream.read();
                        }
                    })
                    .isInstanceOf(StoppedException.class);
        }
    }

    @Test
    void whoTakesTooMuchMemoryIsStopped() throws IOException {
        try (var stream = new BoundedStream(new byte[1 << 20], 8 << 20)) {
            var tables = new ArrayList<byte[]>();
            assertThatThrownBy(() -> {
                        while (stream.read() >= 0) {
                            tables.add(new byte[1000]);
                        }
                    })
                    .isInstanceOf(StoppedException.class);
            assertThat(tables).hasSizeBetween(1000, 20_000);
        }
    }

    @Test
    void whoReadsManyBytesAtOnceIsStoppedAsSoon() throws IOException {
        try (var stream = new BoundedStream(new byte[1 << 20], 8 << 20)) {
            var buffer = new byte[4096];
            var tables = new ArrayList<byte[]>();
            assertThatThrownBy(() -> {
                        while (stream.read(buffer, 0, buffer.length) >= 0) {
                            tables.add(new byte[1 << 20]);
                        }
                    })
                    .isInstanceOf(StoppedException.class);
            assertThat(tables).hasSizeBetween(4, 9);
        }
    }

    @Test
    void whoReadsAFewBytesAtOnceIsStoppedBeforeLong() throws IOException {
        try (var stream = new BoundedStream(new byte[1 << 20], 8 << 20)) {
            var buffer = new byte[8];
            var tables = new ArrayList<byte[]>();
            assertThatThrownBy(() -> {
                        while (stream.read(buffer, 0, buffer.length) >= 0) {
                            tables.add(new byte[1 << 20]);
                        }
                    })
                    .isInstanceOf(StoppedException.class);
            assertThat(tables).hasSizeBetween(4, 32);
        }
    }
}
