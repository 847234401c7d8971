import { crc32, deflateRawSync } from "node:zlib";

export interface ZipFileEntry {
	name: string;
	data: Buffer;
	/** What the directory says the size is; the true one when absent. */
	claimedSize?: number;
}

/** A zip archive of deflated entries (APPNOTE.TXT 4.3), also of kinds that no honest program writes. */
export function zip(files: readonly ZipFileEntry[]): Buffer {
	const parts: Buffer[] = [];
	const directory: Buffer[] = [];
	let offset = 0;
	for (const { name, data, claimedSize } of files) {
		const packed = deflateRawSync(data);
		const nameBytes = Buffer.from(name);
		const fields = Buffer.alloc(26);
		fields.writeUInt16LE(20, 0);
		fields.writeUInt16LE(8, 4);
		fields.writeUInt32LE(crc32(data), 10);
		fields.writeUInt32LE(packed.length, 14);
		fields.writeUInt32LE(claimedSize ?? data.length, 18);
		fields.writeUInt16LE(nameBytes.length, 22);
		const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), fields, nameBytes, packed]);
		const rest = Buffer.alloc(14);
		rest.writeUInt32LE(offset, 10);
		directory.push(Buffer.concat([Buffer.from("PK\u0001\u0002\u0014\u0000"), fields, rest, nameBytes]));
		parts.push(local);
		offset += local.length;
	}
	const list = Buffer.concat(directory);
	const end = Buffer.alloc(22);
	end.write("PK\u0005\u0006", 0, "latin1");
	end.writeUInt16LE(files.length, 8);
	end.writeUInt16LE(files.length, 10);
	end.writeUInt32LE(list.length, 12);
	end.writeUInt32LE(offset, 16);
	return Buffer.concat([...parts, list, end]);
}
